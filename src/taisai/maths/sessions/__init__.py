"""Sessions: what so many rounds of the same slate bring, exactly or in floats with bounds."""
