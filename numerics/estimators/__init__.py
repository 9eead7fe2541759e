"""scikit-learn estimators (extra `sklearn`): SADA with everything it needs estimated from the data."""

from .models import SADAClassifier, SADARegressor

__all__ = ["SADAClassifier", "SADARegressor"]
