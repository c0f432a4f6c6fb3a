"""Rows to rows. Pure: no files, clock, randomness, logging or Dagster."""
