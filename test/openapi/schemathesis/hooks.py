"""What schemathesis cannot make by itself: user tokens, which a partner's server signs, and sessions, which end when they are told to.
And each request about a store is made with one of the credentials that may make it, in turn."""
import atexit
import base64
import collections
import datetime
import hashlib
import hmac
import itertools
import json
import os
import threading
import time
import urllib.request
import uuid

import schemathesis
from hypothesis import strategies

SESSIONS = "/api/v1/sdk/sessions"

# Times as the document's descriptions say them: to the millisecond, with an offset, in a year from 0000 to 9999 in UTC.
OFFSETS = ["Z", "+00:00", "-15:20", "+23:59", "+05:30"]
FRACTIONS = ["", ".5", ".25", ".007", ".123000"]
MOMENTS = strategies.datetimes(datetime.datetime(1, 1, 2), datetime.datetime(9999, 12, 30)).map(
    lambda moment: moment.isoformat(timespec="seconds")
)
TIMES = strategies.tuples(MOMENTS, strategies.sampled_from(FRACTIONS), strategies.sampled_from(OFFSETS)).map("".join)
schemathesis.openapi.format("date-time", TIMES)


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


# Answered requests by credential, operation and class of status, for judge.py.
answered = collections.Counter()
counting = threading.Lock()
turns = itertools.cycle(["store key", "partner key", "session"])
# Credentials of the cases under way, by the id of the case.
credentials = {}


@atexit.register
def report_answered():
    if "SUUQ_CREDENTIALS" in os.environ:
        with open(os.environ["SUUQ_CREDENTIALS"], "a") as file:
            file.writelines(json.dumps([*kinds, count]) + "\n" for kinds, count in answered.items())


def authorize(case):
    """A credential for each request that was to have one; a session is made for it. What has none, or a bad one, keeps it."""
    keys = {"store key": os.environ["SUUQ_STORE_KEY"], "partner key": os.environ["SUUQ_PARTNER_KEY"]}
    kinds = {f"Bearer {value}": kind for kind, value in {**keys, "session": os.environ["SUUQ_SESSION"]}.items()}
    kind = kinds.get((case.headers or {}).get("Authorization"))
    if kind == "store key":
        kind = next(turns)
    if kind is not None:
        case.headers["Authorization"] = f"Bearer {session_token() if kind == 'session' else keys[kind]}"
    credentials[case.id] = "user token" if case.path == SESSIONS else kind or "none"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Credentials; and of good requests for a session, every second is given keys that fit."""
    authorize(case)
    meta = case.meta
    good = meta is not None and meta.generation.mode.value == "positive"
    if case.path == SESSIONS and good and isinstance(case.body, dict) and len(case.body.get("userToken", "")) % 2 == 0:
        case.body = {**case.body, **good_body()}


@schemathesis.hook
def after_call(context, case, response):
    credential = credentials.pop(case.id, "none")
    with counting:
        answered[(credential, f"{case.method} {case.path}", f"{response.status_code // 100}xx")] += 1
