"""Why something has no Coq text."""


class NotExpressible(Exception):
    """The claim, the rule or the point has no translation; the message says what is missing."""
