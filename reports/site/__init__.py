"""The report: a ledger as one page. `content.gather` collects, the section modules shape, `build` writes."""
