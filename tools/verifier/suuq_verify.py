#!/usr/bin/env python3
"""Checks proofs of a Suuq log without Suuq, and without a network.

    suuq_verify.py BUNDLE [--key PUBLIC_KEY]... [--head FILE [--consistency FILE]... [--moved FILE]]

BUNDLE is what `suuq audit order`, `suuq audit stream` or `suuq audit consistency` gave. --key names a key that is trusted, as
it was published or handed over (base64); without it the bundle's own key is believed, and only says that all is of one piece.
--head is a signed head that was kept elsewhere: the bundle must be of the same log, as --consistency shows where the sizes differ. --moved is what the
service publishes at /.well-known/suuq-log/moves: that the log of the kept head was sealed on a move and became this one, which is
a signed word and no proof.

Exit code 0: it holds. 1: refused, with the reason. 2: wrong use. Needs Python 3.9 and the package `cryptography`.
The formats are described in docs/concepts/proofs.md.
"""

import argparse
import base64
import binascii
import hashlib
import json
import re
import struct
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

PROOF = "suuq-proof-1"
CONSISTENCY = "suuq-consistency-1"
MOST_BYTES = 512 * 1024 * 1024

HEX_64 = re.compile(r"[0-9a-f]{64}\Z")
HEX_32 = re.compile(r"[0-9a-f]{32}\Z")
HEX_16 = re.compile(r"[0-9a-f]{16}\Z")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\Z", re.ASCII)


class Refused(Exception):
    """Why a bundle does not hold."""


def refuse_unless(holds, why):
    if not holds:
        raise Refused(why)


# Reading ---------------------------------------------------------------------------------------------------------------


def parsed(raw):
    """The JSON of a bundle, which must be written in the one way in which it is given out."""
    refuse_unless(len(raw) <= MOST_BYTES, "it is too large")
    try:
        text = raw.decode("utf-8")
        value = json.loads(text, parse_constant=lambda name: 1 / 0)
        again = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError, ZeroDivisionError) as error:
        raise Refused("it is not JSON") from error
    refuse_unless(text in (again, again + "\n"), "it is not written as it was given out")
    return value


def members(value, names, what):
    """An object with exactly these members."""
    refuse_unless(isinstance(value, dict) and sorted(value) == sorted(names), f"{what} has other members than it should")
    return value


def text_of(value, pattern, what):
    refuse_unless(isinstance(value, str) and pattern.match(value), f"{what} is not as it should be")
    return value


def whole(value, what, least=0):
    refuse_unless(type(value) is int and least <= value < 2**63, f"{what} is no whole number")
    return value


def bytes_of(value, what, length=None):
    refuse_unless(isinstance(value, str), f"{what} is no base64")
    try:
        found = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Refused(f"{what} is no base64") from error
    refuse_unless(base64.b64encode(found).decode() == value, f"{what} is no base64")
    refuse_unless(length is None or len(found) == length, f"{what} has not {length} bytes")
    return found


def hashes_of(value, what):
    refuse_unless(isinstance(value, list), f"{what} is no list")
    return [bytes.fromhex(text_of(one, HEX_64, what)) for one in value]


# The tree of RFC 9162 --------------------------------------------------------------------------------------------------


def leaf_hash(entry):
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def proves_inclusion(leaf, index, size, root, path):
    """Section 2.1.3.2."""
    if index >= size:
        return False
    fn, sn, found = index, size - 1, leaf
    for one in path:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            found = node_hash(one, found)
            while not fn & 1 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            found = node_hash(found, one)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and found == root


def proves_consistency(first, first_root, second, second_root, path):
    """Section 2.1.4.2."""
    if first == second:
        return not path and first_root == second_root
    if not 0 < first < second:
        return False
    if first & (first - 1) == 0:
        path = [first_root, *path]
    if not path:
        return False
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    was = now = path[0]
    for one in path[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            was, now = node_hash(one, was), node_hash(one, now)
            while not fn & 1 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            now = node_hash(now, one)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and was == first_root and now == second_root


# Heads and keys --------------------------------------------------------------------------------------------------------


def keys_of(value):
    refuse_unless(isinstance(value, list) and value, "there is no key")
    keys = {}
    for one in value:
        key = members(one, ["keyId", "publicKey"], "a key")
        raw = bytes_of(key["publicKey"], "a public key", 32)
        key_id = hashlib.sha256(raw).hexdigest()[:16]
        refuse_unless(text_of(key["keyId"], HEX_16, "a key's id") == key_id, "a key has another id than it should")
        keys[key_id] = raw
    return keys


def head_of(value, keys, trusted):
    """A signed head as (size, root); its signature must hold, under a trusted key where some are named."""
    head = members(value, ["size", "rootHash", "time", "keyId", "signature"], "the head")
    size = whole(head["size"], "the head's size")
    root = text_of(head["rootHash"], HEX_64, "the head's root")
    time = text_of(head["time"], TIME, "the head's time")
    key_id = text_of(head["keyId"], HEX_16, "the head's key")
    signature = bytes_of(head["signature"], "the head's signature", 64)
    raw = keys.get(key_id)
    refuse_unless(raw is not None, f"the head is signed with the key {key_id}, which is not there")
    refuse_unless(not trusted or raw in trusted, f"the head is signed with the key {key_id}, which is not trusted")
    signed = f"suuq tree head v1\n{size}\n{root}\n{time}\n{key_id}\n".encode()
    check_signature(raw, signature, signed, "the head's signature does not hold")
    return size, bytes.fromhex(root)


def check_signature(key, signature, signed, why):
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
    except InvalidSignature as error:
        raise Refused(why) from error


def root_of(value, what):
    log = members(value, ["size", "rootHash"], what)
    return whole(log["size"], f"the size of {what}"), text_of(log["rootHash"], HEX_64, f"the root of {what}")


def move_of(value, keys, trusted):
    """What was signed of a move, as the heads ((size, root) each) of the log before and after it."""
    move = members(value, ["from", "to", "reopens", "time", "keyId", "signature"], "a move")
    before, after = root_of(move["from"], "the log before the move"), root_of(move["to"], "the log after the move")
    refuse_unless(isinstance(move["reopens"], bool), "a move does not say whether it reopens")
    time = text_of(move["time"], TIME, "the move's time")
    key_id = text_of(move["keyId"], HEX_16, "the move's key")
    raw = keys.get(key_id)
    refuse_unless(raw is not None, f"the move is signed with the key {key_id}, which is not there")
    refuse_unless(not trusted or raw in trusted, f"the move is signed with the key {key_id}, which is not trusted")
    lines = ["suuq sealed log v1", *before, *after, "reopens" if move["reopens"] else "differs", time, key_id]
    signed = "".join(f"{line}\n" for line in lines).encode()
    check_signature(raw, bytes_of(move["signature"], "the move's signature", 64), signed, "the move's signature does not hold")
    return [(size, bytes.fromhex(root)) for size, root in (before, after)]


# Bundles ---------------------------------------------------------------------------------------------------------------


def entry_of(event):
    """The bytes that an event's leaf is the hash of."""
    refuse_unless(isinstance(event["stream"], str) and isinstance(event["type"], str), "an event has no name")
    refuse_unless(type(event["json"]) is bool, "an event does not say whether it is JSON")
    time = event["time"]
    refuse_unless(type(time) is int and -(2**63) <= time < 2**63, "an event has no time")

    def sized(content):
        return struct.pack(">I", len(content)) + content

    return b"".join(
        [
            b"\x01",
            sized(event["stream"].encode()),
            struct.pack(">Q", whole(event["revision"], "an event's revision")),
            sized(event["type"].encode()),
            bytes.fromhex(text_of(event["id"], HEX_32, "an event's id")),
            struct.pack(">q", time),
            b"\x01" if event["json"] else b"\x00",
            sized(bytes_of(event["data"], "an event's data")),
            sized(bytes_of(event["metadata"], "an event's metadata")),
        ]
    )


EVENT = ["index", "stream", "revision", "type", "id", "time", "json", "data", "metadata", "path"]


def check_proof(bundle, trusted):
    members(bundle, ["format", "stream", "head", "keys", "events"], "the bundle")
    keys = keys_of(bundle["keys"])
    size, root = head_of(bundle["head"], keys, trusted)
    refuse_unless(len(keys) == 1, "there are keys that sign nothing here")
    events = bundle["events"]
    refuse_unless(isinstance(events, list) and events, "there is no event in it")
    index = -1
    for revision, event in enumerate(events):
        members(event, EVENT, "an event")
        what = f"event {revision}"
        refuse_unless(event["stream"] == bundle["stream"], f"{what} is of another stream")
        refuse_unless(event["revision"] == revision, f"{what} is missing, or stands elsewhere")
        refuse_unless(whole(event["index"], "an event's place") > index, f"{what} stands before the one before it")
        index = event["index"]
        path = hashes_of(event["path"], "a path")
        holds = proves_inclusion(leaf_hash(entry_of(event)), index, size, root, path)
        refuse_unless(holds, f"{what} is not in the log that the head was signed for")
    return {"stream": bundle["stream"], "events": len(events), "heads": [(size, root)]}


def check_consistency(bundle, trusted):
    members(bundle, ["format", "from", "to", "keys", "path"], "the bundle")
    keys = keys_of(bundle["keys"])
    was, now = head_of(bundle["from"], keys, trusted), head_of(bundle["to"], keys, trusted)
    used = {bundle["from"]["keyId"], bundle["to"]["keyId"]}
    refuse_unless(set(keys) == used, "there are keys that sign nothing here")
    holds = proves_consistency(*was, *now, hashes_of(bundle["path"], "the path"))
    refuse_unless(holds, "the later log does not begin as the earlier one")
    return {"heads": [was, now]}


def verify(raw, trusted=()):
    """What a bundle (bytes) shows; raises Refused. `trusted`: public keys, 32 bytes each; none: the bundle's own."""
    bundle = parsed(raw)
    kind = bundle.get("format") if isinstance(bundle, dict) else None
    if kind == PROOF:
        return check_proof(bundle, trusted)
    if kind == CONSISTENCY:
        return check_consistency(bundle, trusted)
    raise Refused("it is no bundle of a format that is known here")


def kept_head(raw, bundle_keys, trusted):
    """A head that was kept elsewhere, by itself or in a bundle."""
    value = parsed(raw)
    head = value.get("head", value) if isinstance(value, dict) else value
    return head_of(head, bundle_keys, trusted)


def is_linked(start, goals, links):
    """Whether heads that are linked with each other lead from one to another."""
    reached, waiting = set(), [start]
    while waiting:
        head = waiting.pop()
        reached.add(head)
        waiting += [other for link in links if head in link for other in link if other not in reached]
    return not reached.isdisjoint(goals)


def read(path):
    with open(path, "rb") as file:
        return file.read(MOST_BYTES + 1)


def run(asked):
    trusted = [bytes_of(key, "a trusted key", 32) for key in asked.key]
    raw = read(asked.bundle)
    shown = verify(raw, trusted)
    said = [f"{shown['events']} events of {shown['stream']} hold"] if "events" in shown else ["the two heads are of one log"]
    if asked.head is not None:
        keys = keys_of(parsed(raw)["keys"])
        keys.update({hashlib.sha256(key).hexdigest()[:16]: key for key in trusted})
        links = [shown["heads"]] if "events" not in shown else []
        for place in asked.consistency:
            linking = read(place)
            links.append(verify(linking, trusted)["heads"])
            keys.update(keys_of(parsed(linking)["keys"]))
        moves = []
        if asked.moved is not None:
            moved = members(parsed(read(asked.moved)), ["moves"], "what was moved")["moves"]
            refuse_unless(isinstance(moved, list), "what was moved is no list")
            moves = [move_of(one, keys, trusted) for one in moved]
        kept = kept_head(read(asked.head), keys, trusted)
        proven = is_linked(kept, shown["heads"], links)
        stated = proven or is_linked(kept, shown["heads"], links + moves)
        refuse_unless(stated, "nothing shows that it is of the log of the kept head")
        how = "it is of the log" if proven else "it is, by the word of who signed its move, of what became of the log"
        said.append(f"and {how} of the head of {kept[0]} events that was kept")
    size, root = shown["heads"][-1]
    print(f"holds: {', '.join(said)}; head of {size} events, root {root.hex()}")
    if not trusted:
        print("No key was named with --key: that the head is this log's own was taken from the bundle itself.")


def main():
    parser = argparse.ArgumentParser(description="Checks proofs of a Suuq log without Suuq.")
    parser.add_argument("bundle", help="what suuq audit order, stream or consistency gave")
    parser.add_argument("--key", action="append", default=[], help="a public key that is trusted, in base64")
    parser.add_argument("--head", help="a signed head that was kept elsewhere")
    parser.add_argument("--consistency", action="append", default=[], help="what suuq audit consistency gave for both heads")
    parser.add_argument("--moved", help="what is published of moves that sealed the log")
    asked = parser.parse_args()
    try:
        run(asked)
    except Refused as error:
        print(f"refused: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"cannot be read: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
