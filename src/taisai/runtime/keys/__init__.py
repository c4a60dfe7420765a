"""The keys of a venue: what signs, what numbers vouchers, what seals secrets, and who may know.

A directory of keys is made once and loaded at every start. Of the signing key the public half, and
the chain of endorsements from the first key to the newest, can be published; nothing else can.
"""
