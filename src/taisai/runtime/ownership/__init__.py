"""Which node has which stream: leases that are beaten for, pass on, and are taken over.

`tenure` decides, and knows no clock and no database; `ownership` carries out what it decides;
`rows` keeps it in PostgreSQL. What a stream is, and how it is opened, is not known here.
"""
