"""Every way in which the kernel says no. The message names the thing, the value and the remedy."""


class KernelError(Exception):
    """Base of all refusals of the kernel."""


class Malformed(KernelError):
    """The text, formula or record is not of the form that the kernel reads."""


class Undefined(KernelError):
    """A formula has no value at this point (division by zero, root of a negative number)."""


class Missing(Undefined):
    """An entry beyond the end of a column or matrix: too few values were given."""


class Undecidable(KernelError):
    """A relation at a point that no precision settles; the point is neither for nor against anything."""


class Rejected(KernelError):
    """A certificate or a witness does not establish what it is offered for."""
