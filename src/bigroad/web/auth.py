"""The cookie that says who a patron is. What is in it, and what of it is stored, is the cashier's."""

from bigroad.web.options import ServerOptions
from bigroad.web.origin import Headers

MAX_AGE_S = 400 * 24 * 3600
MAX_TOKEN = 256


def cookie_name(server: ServerOptions) -> str:
    """`bigroad`; over https with the prefix that ties it to this host."""
    return "__Host-bigroad" if server.is_https else "bigroad"


def token_in(headers: Headers, server: ServerOptions) -> str | None:
    """The token that came with a request. Two cookies of the name, or an endless one, are as good as none."""
    name = cookie_name(server)
    pairs = [part.strip().partition("=") for line in headers.get("cookie", ()) for part in line.split(";")]
    values = {value for key, _, value in pairs if key == name}
    if len(values) != 1:
        return None
    token = values.pop()
    return token if 0 < len(token) <= MAX_TOKEN and token.isascii() else None


def set_cookie(token: str, server: ServerOptions) -> str:
    """The value of Set-Cookie for a new token."""
    secure = "; Secure" if server.is_https else ""
    return f"{cookie_name(server)}={token}; Path=/; Max-Age={MAX_AGE_S}; HttpOnly; SameSite=Lax{secure}"
