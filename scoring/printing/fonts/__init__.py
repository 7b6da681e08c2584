"""The face that is embedded in what we print, where it comes from, and how it is cut out again (`subset`)."""
