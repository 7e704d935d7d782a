"""Speak HTTP and WebSocket, authenticate, limit."""
