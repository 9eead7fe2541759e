"""The hunt for code names finds what it is for, and spares code."""

from __future__ import annotations

import pytest

from tests.reports.code_names import code_names


@pytest.mark.parametrize(
    "page",
    [
        "<p>at most kt times</p>",
        "<mi>lam</mi>",
        "<p>the trace tr(Sigma^-1 Q)</p>",
        "<td>exp(-top*(2*m)/4)</td>",
        "<p>T >= 8 sqrt(kt)</p>",
        "<p>x**2</p>",
    ],
)
def test_names_and_signs_of_the_code_are_found(page: str) -> None:
    assert code_names(page)


@pytest.mark.parametrize(
    "page",
    [
        "<code>kt</code>",
        '<pre class="formal">lam[i]**2</pre>',
        "<p>κ̃ and L<sub>ℓ</sub></p>",
        "<mi>λ</mi>",
        "<p>lem:noise-bound-Sigma-inverse</p>",
    ],
)
def test_code_as_code_and_ids_are_spared(page: str) -> None:
    assert code_names(page) == []
