#!/bin/sh
# The client of this project on Node, Bun and Deno: a program that plays a flow on it against a service of its own
# (test/openapi/clients/typescript). Needs node and curl; Bun and Deno are fetched by npm. RUNTIMES chooses among them. Run `npm run build` first.
set -eu
home=$(cd "$(dirname "$0")/.." && pwd)
[ -n "${SUUQ_OPENAPI:-}" ] || exec sh "$home/scripts/withService.sh" sh "$home/scripts/checkTypeScriptClient.sh"
cd "$home"
flow=dist/test/openapi/clients/typescript/flow.js
for runtime in ${RUNTIMES:-node bun deno}; do
  case $runtime in
    node) timeout 120 node "$flow" node ;;
    bun) timeout 300 npm exec --yes --package=bun@1 -- bun run "$flow" bun ;;
    deno) timeout 300 npm exec --yes --package=deno@2 -- deno run --allow-net --allow-env --allow-run=node "$flow" deno ;;
    *) echo "no runtime is called $runtime" && exit 2 ;;
  esac
done
