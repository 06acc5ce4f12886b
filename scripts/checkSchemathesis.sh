#!/bin/sh
# checkSchemathesis.sh [CASES]: schemathesis, with all of its checks, against a running service with the demo's data: at least CASES (20,000)
# requests made from the OpenAPI document, good and bad. What it finds must be in test/openapi/accepted.toml, with the reason. Needs python3
# and curl; fetches schemathesis into a folder of its own. Exits 3, and names the reason, where that cannot be had. Run `npm run build` first.
#
# SUUQ_SEED             other cases: the seed of the first round (1)
# SUUQ_EXAMPLES         cases by operation of a round (40)
# SUUQ_SECONDS          instead of CASES: a few of each operation, then others at random until so many seconds have passed
# SUUQ_REPORT           folder for the report; removed at the end when it is not set
# SUUQ_SCHEMATHESIS     a folder that has schemathesis already, as `bring` made it: checkSchemathesis.sh bring FOLDER
set -eu
home=$(cd "$(dirname "$0")/.." && pwd)
version=4.32.5

bring() {
  command -v python3 >/dev/null || { echo "python3 is not installed"; return 3; }
  timeout 120 python3 -m venv "$1" >/dev/null 2>&1 || { echo "python3 has no venv"; return 3; }
  timeout 180 "$1/bin/pip" install --quiet "schemathesis==$version" >"$1/pip.txt" 2>&1 ||
    { tail -1 "$1/pip.txt"; echo "schemathesis $version could not be had"; return 3; }
}
if [ "${1:-}" = bring ]; then
  bring "$2"
  exit
fi
[ -n "${SUUQ_OPENAPI:-}" ] || exec sh "$home/scripts/withService.sh" sh "$home/scripts/checkSchemathesis.sh" "$@"
cases=${1:-20000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
report=${SUUQ_REPORT:-$folder}
python=${SUUQ_SCHEMATHESIS:-$folder/python}
[ -x "$python/bin/schemathesis" ] || bring "$python"

# Something of everything that there is to read, as customers of the sandbox make it.
for event in message.received call.missed order.created order.checked_out order.paid order.payment_failed order.refunded conversation.merged; do
  node "$SUUQ_CLI" trigger "$event" --json >/dev/null
done

export SUUQ_SESSION=none PYTHONPATH="$home/test/openapi/schemathesis" SCHEMATHESIS_HOOKS=hooks SUUQ_CREDENTIALS="$folder/credentials"
round=${SUUQ_SEED:-1}
made=0
cd "$folder"
: >"$report/cases.ndjson"

# Makes the cases of one round, each of which has its own seed, with further options of schemathesis.
run_round() {
  status=0
  "$python/bin/schemathesis" --config-file "$home/test/openapi/schemathesis/config.toml" run "$SUUQ_OPENAPI" --url "$SUUQ_URL" \
    --checks all --seed "$round" "$@" --report ndjson --report-ndjson-path "$folder/round.ndjson" >"$report/round-$round.txt" 2>&1 || status=$?
  # 0: nothing found; 1: something, which the list may name. Anything else is a fault of its own.
  [ "$status" -le 1 ] || { tail -40 "$report/round-$round.txt"; exit 1; }
  cat "$folder/round.ndjson" >>"$report/cases.ndjson"
  more=$(sed -nE 's/^ +([0-9]+) generated.*/\1/p' "$report/round-$round.txt")
  [ -n "$more" ] || { tail -40 "$report/round-$round.txt"; exit 1; }
  made=$((made + more))
  round=$((round + 1))
}

# Cases are asked for by operation; coverage and walks along the links add theirs.
if [ -n "${SUUQ_SECONDS:-}" ]; then
  end=$(($(date +%s) + SUUQ_SECONDS))
  run_round --phases examples,fuzzing --max-examples 2
  left=$((end - $(date +%s)))
  [ "$left" -lt 20 ] || run_round --phases fuzzing,stateful --max-time "$left"
else
  while [ "$made" -lt "$cases" ]; do run_round --max-examples "${SUUQ_EXAMPLES:-40}"; done
fi
echo "schemathesis $version, seed ${SUUQ_SEED:-1}"
"$python/bin/python" "$home/test/openapi/schemathesis/judge.py" "$report/cases.ndjson" "$home/test/openapi/accepted.toml" "$SUUQ_OPENAPI" \
  "$SUUQ_CREDENTIALS"
echo "$made cases"
