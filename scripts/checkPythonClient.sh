#!/bin/sh
# A client for Python, generated from the OpenAPI document as a partner would, and a program that plays a flow on it against a service of its
# own (test/openapi/clients/python). Needs python3 with pip, node and curl; fetches the generator into a folder of its own. Exits 3, and says
# why, where that cannot be had. Run `npm run build` first.
set -eu
home=$(cd "$(dirname "$0")/.." && pwd)
[ -n "${SUUQ_OPENAPI:-}" ] || exec sh "$home/scripts/withService.sh" sh "$home/scripts/checkPythonClient.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ! command -v python3 >/dev/null; then
  echo "python3 is not installed"
  exit 3
fi
if ! timeout 120 python3 -m pip install --quiet --target "$folder/python" 'openapi-python-client>=0.26,<1' ruff >"$folder/pip.txt" 2>&1; then
  tail -1 "$folder/pip.txt"
  echo "the generator for Python could not be had"
  exit 3
fi
export PATH="$folder/python/bin:$PATH" PYTHONPATH="$folder/python"
timeout 120 openapi-python-client generate \
  --path "$SUUQ_OPENAPI" --output-path "$folder/suuq_client" --meta none --fail-on-warning >"$folder/generator.txt" 2>&1 ||
  { cat "$folder/generator.txt"; exit 1; }
cp "$home/test/openapi/clients/python/flow.py" "$folder"
cd "$folder"
timeout 120 python3 flow.py
