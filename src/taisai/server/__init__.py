"""The live venue on a network: HTTP and sockets, people and machines; nothing is decided here."""
