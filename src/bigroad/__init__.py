"""Self-hosted multiplayer 3D baccarat: rules, roads, tables, ledger, server and page."""
