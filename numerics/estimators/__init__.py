"""scikit-learn estimators (extra `sklearn`): SADA with everything it needs estimated while the rows come.

`learner` and what is below it need no scikit-learn: `lemmalab fit` uses them without.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .models import SADAClassifier, SADAGeneralizedLinear, SADARegressor

__all__ = ["SADAClassifier", "SADAGeneralizedLinear", "SADARegressor"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import models

    return getattr(models, name)
