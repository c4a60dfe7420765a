"""Which node owns which stream: leases that last while their node beats, and then pass on.

`tenure` decides, and knows no clock and no database; `ownership` carries out its decisions; `rows`
stores the leases in PostgreSQL. What a stream is, and how it is opened, is not known here.
"""
