"""Calibration: what an interviewer's ratings say once who asked, what was asked and luck are taken out.

Pure numpy and scipy; knows neither Django nor the rest of the product. Start at `facets.calibrate`.
"""
