"""Gateways: processes that hold the sockets of a venue, and speak with it over lanes."""
