"""The version of the protocol, as the WebSocket subprotocol spells it, and how a ticket is shown beside it."""

SUBPROTOCOL = "bigroad.v1"
TICKET_PREFIX = "bigroad.ticket."
"""A second subprotocol of a client, which the server never chooses: this and the ticket of `POST /api/ticket`."""


def subprotocols(ticket: str) -> list[str]:
    """What a client offers when it opens a socket."""
    return [SUBPROTOCOL, TICKET_PREFIX + ticket]
