"""judge.py CASES ACCEPTED: the failed checks of schemathesis' reports (lines of JSON), less those that the list (TOML) accepts with a reason.
Exits 1 when any is left, or when an entry of the list has no reason."""
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


def matches(entry, check, operation, code, message):
    found = {"check": check, "operation": operation, "code": code, "message": message}
    return all(re.search(entry[part], value or "") for part, value in found.items() if part in entry)


def accepting(entries, check, operation, answer):
    """The entries by which a finding is accepted: one for each problem that the answer names. None when one has none."""
    code = answer.get("code")
    problems = answer.get("errors") or [{"message": answer.get("detail")}]
    used = []
    for problem in problems:
        message = f'{problem.get("location", "")}: {problem.get("message")}'
        entry = next((one for one in entries if matches(one, check, operation, code, message)), None)
        if entry is None:
            return None
        used.append(entry["reason"])
    return set(used)


def main(cases, accepted):
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
            used = accepting(entries, check["name"], operation, answer)
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
    if left:
        sys.exit(f"\n{len(left)} findings that the list does not accept")


main(*sys.argv[1:])
