"""The screens and the state of the process over HTTP; the demo's own routes."""
