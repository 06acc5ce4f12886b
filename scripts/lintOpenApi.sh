#!/bin/sh
# The OpenAPI document before the linters that partners' tools have: redocly, strict, and spectral, all rules. They are fetched by npx, since
# nothing of the project needs them. Run `npm run build` first.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
node dist/test/support/generators/openApiFile.js "$folder/openapi.json"
npx --yes @redocly/cli@2 lint "$folder/openapi.json" --config test/openapi/redocly.yaml
npx --yes @stoplight/spectral-cli@6 lint "$folder/openapi.json" --ruleset test/openapi/spectral.yaml --fail-severity hint
