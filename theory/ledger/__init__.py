"""From a check to a verdict on record: judged, stored, sealed, read back and judged again."""
