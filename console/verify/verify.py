import hashlib, hmac, re, time


def verified(body: bytes, header: str | None, secret: str, now: float | None = None) -> bool:
    """body: the bytes as they came. header: Service-Signature. secret: the whole of it, whsec_ included."""
    parts = [part.partition("=") for part in (header or "").split(",")]
    t = next((value for name, _, value in parts if name == "t"), "")
    if not re.fullmatch("[0-9]{1,15}", t) or abs((time.time() if now is None else now) - int(t)) > 300:
        return False
    expected = hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
    macs = [value for name, _, value in parts if name == "v1" and value.isascii()]
    return any(hmac.compare_digest(expected, mac) for mac in macs)
