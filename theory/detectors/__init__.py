"""Detectors: checks that run over every formula of the paper, not over chosen ones."""

from theory.detectors.homogeneity import HomogeneityReport, Violation, check_all, check_display, transcription

__all__ = ["HomogeneityReport", "Violation", "check_all", "check_display", "transcription"]
