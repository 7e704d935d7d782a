"""What `make bench` measures, one module for each question; each answers a list of `Figure`."""
