"""Names of claims as names of Coq, apart from those that Coq or our library has given away."""

from __future__ import annotations

WORDS = """
as at cofix else end exists exists2 fix for forall fun if IF in let match mod return SProp Prop Set then Type using
where with R S O I E Omega HE dim exp ln sqrt sin cos PI pow nat Z INR IZR up Rmin Rmax Rabs zsum between entry row
mmul madd msub mopp mscale mscale_r mdiv mtr mpow inv2 det2 total lin lins dot col always expectation functional
transpose num pp nn nz small list bool true false tt unit fst snd nth length map seq le lt eq not and or N Q H A D Rle
Rlt Rge Rgt Rplus Rmult Rminus Rdiv Rinv Ropp comparison positive sum prod id fact dist mat meq zero one plus minus
opp scale times flip power trace symmetric form psd loewner mean words norm closed lift m step_ before_
"""
RESERVED = frozenset(WORDS.split())


def ident(name: str) -> str:
    """A Coq name; letters that Coq reads otherwise are spelled out."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c == "_") else f"_u{ord(c):x}_" for c in name)
    return plain + "_" if plain in RESERVED or plain.endswith("_") or plain.startswith("_") else plain
