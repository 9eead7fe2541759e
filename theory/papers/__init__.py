"""The papers that come with the engine. Nothing outside imports them; `theory.project` finds them by name."""

DEFAULT = "sada"
