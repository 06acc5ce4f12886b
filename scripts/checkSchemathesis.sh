#!/bin/sh
# checkSchemathesis.sh [CASES]: schemathesis, with all of its checks, against a running service with the demo's data: at least CASES (20,000)
# requests made from the OpenAPI document, good and bad. What it finds must be in test/openapi/accepted.toml, with the reason. Needs python3
# and curl; fetches schemathesis into a folder of its own. SUUQ_SEED chooses other cases, SUUQ_REPORT keeps its report in a folder of yours.
# Takes some minutes. Run `npm run build` first.
set -eu
home=$(cd "$(dirname "$0")/.." && pwd)
[ -n "${SUUQ_OPENAPI:-}" ] || exec sh "$home/scripts/withService.sh" sh "$home/scripts/checkSchemathesis.sh" "$@"
cases=${1:-20000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
report=${SUUQ_REPORT:-$folder}
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet 'schemathesis>=4.32,<5'

# Something of everything that there is to read, as customers of the sandbox make it.
for event in message.received call.missed order.created order.checked_out order.paid order.payment_failed order.refunded conversation.merged; do
  node "$SUUQ_CLI" trigger "$event" --json >/dev/null
done

# Cases are asked for by operation; coverage and walks along the links add theirs. Each round has its own seed.
export SUUQ_SESSION=none PYTHONPATH="$home/test/openapi/schemathesis" SCHEMATHESIS_HOOKS=hooks
round=${SUUQ_SEED:-1}
made=0
status=0
cd "$folder"
: >"$report/cases.ndjson"
while [ "$made" -lt "$cases" ]; do
  set +e
  "$folder/python/bin/schemathesis" --config-file "$home/test/openapi/schemathesis/config.toml" run "$SUUQ_OPENAPI" --url "$SUUQ_URL" \
    --checks all --max-examples 40 --seed "$round" --report ndjson --report-ndjson-path "$folder/round.ndjson" >"$report/round-$round.txt" 2>&1
  status=$?
  set -e
  # 0: nothing found; 1: something, which the list may name. Anything else is a fault of its own.
  [ "$status" -le 1 ] || { tail -40 "$report/round-$round.txt"; exit 1; }
  cat "$folder/round.ndjson" >>"$report/cases.ndjson"
  more=$(sed -nE 's/^ +([0-9]+) generated.*/\1/p' "$report/round-$round.txt")
  [ -n "$more" ] || { tail -40 "$report/round-$round.txt"; exit 1; }
  made=$((made + more))
  round=$((round + 1))
done
"$folder/python/bin/python" "$home/test/openapi/schemathesis/judge.py" "$report/cases.ndjson" "$home/test/openapi/accepted.toml"
echo "$made cases"
