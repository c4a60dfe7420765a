"""The keys of a venue: for signing, for voucher numbers, for sealing secrets.

A directory of keys is made once and loaded at every start. The public half of the signing key, and
the chain of endorsements from the first key to the newest, can be published; nothing else can.
"""
