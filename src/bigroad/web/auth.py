"""The cookie that says who a patron is. What is in it, and what of it is stored, is the cashier's."""

from bigroad.web.options import ServerOptions
from bigroad.web.origin import Headers

MAX_AGE_S = 400 * 24 * 3600
MAX_TOKEN = 256


def cookie_name(server: ServerOptions) -> str:
    """`bigroad`; over https with the prefix that ties it to this host."""
    return "__Host-bigroad" if server.is_https else "bigroad"


def device_cookie_name(server: ServerOptions) -> str:
    """The browser's own: it opens nothing, but says that an account has signed in from here."""
    return f"{cookie_name(server)}-device"


def token_in(headers: Headers, server: ServerOptions, name: str | None = None) -> str | None:
    """The token that came with a request, in the cookie of that name, else the session's. Two cookies of the name, or
    an endless one, are as good as none."""
    name = name or cookie_name(server)
    pairs = [part.strip().partition("=") for line in headers.get("cookie", ()) for part in line.split(";")]
    values = {value for key, _, value in pairs if key == name}
    if len(values) != 1:
        return None
    token = values.pop()
    return token if 0 < len(token) <= MAX_TOKEN and token.isascii() else None


def set_cookie(token: str, server: ServerOptions, max_age_s: int = MAX_AGE_S) -> str:
    """The value of Set-Cookie for a token."""
    secure = "; Secure" if server.is_https else ""
    return f"{cookie_name(server)}={token}; Path=/; Max-Age={max_age_s}; HttpOnly; SameSite=Lax{secure}"
