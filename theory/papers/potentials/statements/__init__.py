"""One module for each statement of the paper."""
