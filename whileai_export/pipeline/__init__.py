"""Rows through gates into staged files, in chunks; the public functions stand in ``export``."""
