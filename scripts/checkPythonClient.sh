#!/bin/sh
# A client for Python, generated from the OpenAPI document as a partner would: nothing may be left out of it, and every module of it must
# load. Needs python3, and what it fetches into a folder of its own. Run `npm run build` first.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
node dist/test/support/openApiFile.js "$folder/openapi.json"
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet 'openapi-python-client>=0.26,<1' ruff
PATH="$folder/python/bin:$PATH" openapi-python-client generate \
  --path "$folder/openapi.json" --output-path "$folder/suuq_client" --meta none --fail-on-warning
cd "$folder"
python/bin/python - <<'PYTHON'
import importlib, json, pkgutil
import suuq_client

modules = [importlib.import_module(one.name) for one in pkgutil.walk_packages(suuq_client.__path__, 'suuq_client.')]
document = json.load(open('openapi.json'))
operations = [one for methods in document['paths'].values() for one in methods.values()]
calls = [one for one in modules if hasattr(one, 'sync_detailed')]
assert len(calls) == len(operations), f'{len(calls)} of {len(operations)} operations'

from suuq_client.models import StoreOrderBody
sample = document['components']['examples']['StoreOrderBody']['value']
order = StoreOrderBody.from_dict(sample)
assert (order.total_cents, order.status.value, order.items[0].name) == (sample['totalCents'], sample['status'], sample['items'][0]['name'])
print(f'{len(calls)} operations, {len(modules)} modules')
PYTHON
