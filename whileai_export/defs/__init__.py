"""The Dagster project: assets, checks, partitions, resources."""
