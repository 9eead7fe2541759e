"""What the paper on SADA brings along: report sections, the theorem in formulas, lessons, notebooks."""
