"""Live play over sockets: who is connected, what each may see, and how it reaches all of them."""
