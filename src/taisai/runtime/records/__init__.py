"""Records: what a journal tells an auditor, read from the journal alone and never written to it."""
