"""The command line's grammar, a module for each group of commands; nothing heavy is imported."""
