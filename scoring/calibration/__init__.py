"""Calibration of a file of ratings, outside the product: reading it, fitting it, reporting. Pure, knows no Django."""
