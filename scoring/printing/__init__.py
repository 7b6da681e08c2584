"""HTML to PDF: our own face and style sheet, drawn by WeasyPrint in a process of its own. Knows no Django."""
