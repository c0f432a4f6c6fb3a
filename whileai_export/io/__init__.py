"""Bytes to records and back: sources, lines, staged files."""
