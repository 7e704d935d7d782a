"""Ports for servers that are measured."""

import random
import socket


def free_port() -> int:
    """A port that nobody listens on, below those that outgoing connections are given: it stays free till it is used."""
    for port in random.SystemRandom().sample(range(20_000, 32_000), 200):
        with socket.socket() as probe:
            try:
                probe.bind(("0.0.0.0", port))
            except OSError:
                continue
            return port
    raise OSError("no free port")
