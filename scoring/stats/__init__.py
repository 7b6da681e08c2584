"""Calibration: what an interviewer's ratings say once who asked, what was asked and luck are taken out.

Pure numpy and scipy; knows neither Django nor the rest of the product. Start at `facets.calibrate`.
Parts of scipy are named in full, `scipy.linalg.cho_factor`: so it loads them when they are first used, and a web
process that never calibrates starts in half the time.
"""
