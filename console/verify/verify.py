import hashlib, hmac, time


def verified(body: bytes, header: str, secret: str, now: float | None = None) -> bool:
    """body: the bytes as they came. header: Service-Signature. secret: the whole of it, whsec_ included."""
    parts = [part.partition("=") for part in header.split(",")]
    t = next((value for name, _, value in parts if name == "t"), "")
    if not (t.isascii() and t.isdigit()) or abs((time.time() if now is None else now) - int(t)) > 300:
        return False
    expected = hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(expected.encode(), value.encode()) for name, _, value in parts if name == "v1")
