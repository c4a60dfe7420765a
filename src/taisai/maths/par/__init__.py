"""PAR sheets: a pay table's figures for a laboratory to check, as Markdown, HTML or JSON."""
