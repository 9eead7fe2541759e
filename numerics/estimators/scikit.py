"""What is taken from scikit-learn, or one sentence when it is not installed."""

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight as check_sample_weight
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise ImportError(f"numerics.estimators needs scikit-learn ({error}); pip install 'lemmalab[sklearn]'") from None

__all__ = [
    "BaseEstimator",
    "ClassifierMixin",
    "RegressorMixin",
    "check_classification_targets",
    "check_is_fitted",
    "check_random_state",
    "check_sample_weight",
    "validate_data",
]
