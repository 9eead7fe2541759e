"""What the page calls proved is proved over everything that it cites."""

from __future__ import annotations

from dataclasses import replace

from reports.site.content import Content
from theory.kernel import Verdict


def test_a_reading_that_cites_something_undecided_is_not_called_proved(content: Content) -> None:
    key = next(r.key for r in content.records if r.judgement.cites and r.key in content.proved)
    below = content.by_key[key].judgement.cites[0]
    lost = [
        replace(r, judgement=replace(r.judgement, verdict=Verdict.UNDECIDED)) if r.key == below else r
        for r in content.records
    ]
    assert key not in replace(content, records=tuple(lost)).proved
