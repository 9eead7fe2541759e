"""For people: what a paper prints, what is accounted for, what is wrong, who rests on whom, proofs in words."""
