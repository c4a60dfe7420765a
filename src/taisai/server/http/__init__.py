"""HTTP: everything that is not live play. Routes answer; the house decides."""
