"""The version of the protocol, as the WebSocket subprotocol spells it."""

SUBPROTOCOL = "bigroad.v1"
