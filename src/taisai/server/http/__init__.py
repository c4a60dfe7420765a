"""HTTP: everything that is not live play. Routes only answer; the venue decides."""
