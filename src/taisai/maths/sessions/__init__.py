"""Sessions: the outcome of so many rounds of a slate, exactly or in floats with bounds."""
