"""HTTP: everything that is not live play. Routes answer; the venue decides."""
