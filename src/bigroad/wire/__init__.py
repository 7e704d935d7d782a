"""Every message, code and version between the server and its pages, named once.

The TypeScript types and the documents are generated from here (`make gen`).
"""
