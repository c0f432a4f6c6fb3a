"""Words every room shares: rows, options, findings, reports, errors. Standard library only."""
