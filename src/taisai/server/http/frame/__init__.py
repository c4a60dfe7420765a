"""What all routes share: callers, parameters, bodies, commands, problems, the OpenAPI document."""
