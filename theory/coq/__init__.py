"""A second kernel that nobody here wrote: claims, certificates and witnesses as Coq theorems.

statement.py and kinds.py are the trusted half: they print what a theorem says, from the claim alone. Everything else
prints proofs, and Coq judges those.
"""
