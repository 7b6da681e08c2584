"""How much a candidate's papers may be: for the form that refuses before reading, and for the service that keeps."""

from __future__ import annotations

MEGABYTE = 1024 * 1024
LARGEST = 10 * MEGABYTE
"""Bytes of one file."""
MOST = 20
"""Files and links of one application together."""
