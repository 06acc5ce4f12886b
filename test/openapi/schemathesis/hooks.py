"""What schemathesis cannot make by itself: user tokens, which a partner's server signs, and sessions, which end when they are told to."""
import base64
import hashlib
import hmac
import json
import os
import time
import urllib.request
import uuid

import schemathesis

SESSIONS = "/api/v1/sdk/sessions"


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def user_token() -> str:
    """Good for one session. (Specification 2, 'User tokens'.)"""
    claims = {
        "sub": "cases",
        "name": "Cases",
        "email": "cases@example.com",
        "email_verified": True,
        "role": "admin",
        "jti": str(uuid.uuid4()),
        "exp": int(time.time()) + 240,
    }
    parts = [base64url(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims)]
    signed = ".".join(parts)
    tag = hmac.new(os.environ["SUUQ_STORE_KEY"].encode(), signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{base64url(tag)}"


def good_body() -> dict:
    return {"publishableKey": os.environ["SUUQ_STORE_PUBLISHABLE"], "userToken": user_token()}


def session_token() -> str:
    request = urllib.request.Request(
        os.environ["SUUQ_URL"] + SESSIONS, json.dumps(good_body()).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["token"]


@schemathesis.hook
def before_call(context, case, kwargs):
    """A session for each request that was to have one; of good requests for one, every second is given keys that fit."""
    if (case.headers or {}).get("Authorization") == "Bearer " + os.environ["SUUQ_SESSION"]:
        case.headers["Authorization"] = f"Bearer {session_token()}"
    meta = case.meta
    good = meta is not None and meta.generation.mode.value == "positive"
    if case.path == SESSIONS and good and isinstance(case.body, dict) and len(case.body.get("userToken", "")) % 2 == 0:
        case.body = {**case.body, **good_body()}
