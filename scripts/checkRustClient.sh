#!/bin/sh
# A client for Rust, generated from the OpenAPI document as a partner would, and a program that plays a flow on it against a service of its own
# (test/openapi/clients/rust). Needs cargo with OpenSSL's headers, mvn, java, node and curl. CARGO_TARGET_DIR keeps what is compiled. Run
# `npm run build` first.
set -eu
home=$(cd "$(dirname "$0")/.." && pwd)
[ -n "${SUUQ_OPENAPI:-}" ] || exec sh "$home/scripts/withService.sh" sh "$home/scripts/checkRustClient.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$home"/test/openapi/clients/rust/* "$folder"
# The generator's union of events takes the discriminator as a tag of serde, which is taken away from the event that has it too, and so reads none.
# Without it the union is untagged: each event has one `type`, which tells them apart.
node -e 'const { readFileSync, writeFileSync } = require("fs");
const [, from, to] = process.argv;
const document = JSON.parse(readFileSync(from, "utf8"));
delete document.components.schemas.WebhookEvent.discriminator;
writeFileSync(to, JSON.stringify(document));' "$SUUQ_OPENAPI" "$folder/openapi.json"
sh "$home/scripts/openApiGenerator.sh" generate --generator-name rust --input-spec "$folder/openapi.json" --output "$folder/suuq" \
  --package-name suuq >"$folder/generator.txt" 2>&1 || { cat "$folder/generator.txt"; exit 1; }
cd "$folder"
cargo build --quiet
timeout 120 "${CARGO_TARGET_DIR:-target}/debug/flow"
