"""judge.py CASES ACCEPTED DOCUMENT CREDENTIALS: the failed checks of schemathesis' reports (lines of JSON), less those that the list (TOML)
accepts with a reason. Exits 1 when any is left, when an entry of the list has no reason, when an operation of the document was not
called, or when a kind of credential was not used (hooks.py counts them)."""
import base64
import collections
import json
import re
import sys
import tomllib


def body_of(interaction):
    try:
        return json.loads(base64.b64decode(interaction["response"]["content"]["$base64"]))
    except (KeyError, TypeError, ValueError):
        return {}


def findings(lines):
    """Each failed check, with the operation and what the service answered."""
    for line in lines:
        recorder = json.loads(line).get("ScenarioFinished", {}).get("recorder")
        if recorder is None:
            continue
        for case_id, checks in recorder.get("checks", {}).items():
            for check in checks:
                if check["status"] == "failure":
                    case = recorder["cases"][case_id]["value"]
                    yield check, f'{case["method"]} {case["path"]}', recorder["interactions"].get(case_id) or {}


def failure_of(check):
    """What schemathesis says of a failed check, in its own words."""
    return ((check.get("failure_info") or {}).get("failure") or {}).get("message")


def matches(entry, check, operation, code, message, failure):
    found = {"check": check, "operation": operation, "code": code, "message": message, "failure": failure}
    return all(re.search(entry[part], value or "") for part, value in found.items() if part in entry)


def accepting(entries, check, operation, answer, failure):
    """The entries by which a finding is accepted: one for each problem that the answer names. None when one has none."""
    code = answer.get("code")
    problems = answer.get("errors") or [{"message": answer.get("detail")}]
    used = []
    for problem in problems:
        message = f'{problem.get("location", "")}: {problem.get("message")}'
        entry = next((one for one in entries if matches(one, check, operation, code, message, failure)), None)
        if entry is None:
            return None
        used.append(entry["reason"])
    return set(used)


KINDS = {"store key", "partner key", "session", "user token", "none"}


def counts(credentials):
    """Answered requests by credential, operation and class of status, as hooks.py counted them."""
    counted = collections.Counter()
    with open(credentials) as lines:
        for line in lines:
            *kinds, count = json.loads(line)
            counted[tuple(kinds)] += count
    return counted


def by(counted, part):
    """The counts by one of credential (0), operation (1) and class of status (2)."""
    totals = collections.Counter()
    for kinds, count in counted.items():
        totals[kinds[part]] += count
    return totals


def operations_of(document):
    with open(document) as file:
        paths = json.load(file)["paths"]
    return [f"{method.upper()} {path}" for path, entry in paths.items() for method in entry]


def main(cases, accepted, document, credentials):
    with open(accepted, "rb") as file:
        entries = tomllib.load(file)["accepted"]
    unexplained = [one for one in entries if not one.get("reason") or not one.get("check")]
    if unexplained:
        sys.exit(f"entries without a check or a reason: {unexplained}")
    counted, left = collections.Counter(), {}
    with open(cases) as lines:
        for check, operation, interaction in findings(lines):
            answer = body_of(interaction)
            answer = answer if isinstance(answer, dict) else {}
            used = accepting(entries, check["name"], operation, answer, failure_of(check))
            if used is not None:
                counted.update(used)
                continue
            key = (check["name"], operation, answer.get("code"))
            left.setdefault(key, (check.get("failure_info"), answer, interaction.get("request", {})))
    for reason, count in counted.most_common():
        print(f"{count:7} accepted: {reason}")
    for (check, operation, code), (failure, answer, request) in left.items():
        shown = {"failure": failure, "answer": answer, "request": request}
        print(f"\nNot accepted: {check}, {operation}, {code}\n{json.dumps(shown)[:2000]}")
    answered = counts(credentials)
    operations, used = operations_of(document), by(answered, 0)
    missed = [one for one in operations if by(answered, 1)[one] == 0]
    print(f"{len(operations) - len(missed)} of {len(operations)} operations; requests by credential: {dict(used)}; by status: {dict(by(answered, 2))}")
    if left:
        sys.exit(f"\n{len(left)} findings that the list does not accept")
    if missed or not KINDS <= used.keys():
        sys.exit(f"not called: {missed}; credentials not used: {sorted(KINDS - used.keys())}")


main(*sys.argv[1:])
