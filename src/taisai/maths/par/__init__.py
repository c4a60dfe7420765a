"""PAR sheets: everything a laboratory checks of a pay table, as Markdown, HTML or JSON."""
