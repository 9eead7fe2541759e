"""Slips planted in proved claims: how many of them the toolkit notices."""
