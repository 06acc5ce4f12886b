#!/bin/sh
# withService.sh COMMAND…: runs the command beside a service of its own, with the demo's partner and store, on free ports and in a temporary
# folder; ends it afterwards. The command finds where it is in SUUQ_URL, SUUQ_STORE, SUUQ_STORE_KEY, SUUQ_STORE_PUBLISHABLE and
# SUUQ_PARTNER_KEY, the OpenAPI document in the file SUUQ_OPENAPI, and the command line as `node "$SUUQ_CLI"`. Run `npm run build` first.
set -eu
home=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
service=
trap '[ -z "$service" ] || { kill "$service" 2>/dev/null; wait "$service" 2>/dev/null || true; }; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

export SUUQ_DATA="$folder/data" SUUQ_CLI="$home/bin/suuq.mjs"
PORT=0 SUUQ_LOG=warn SUUQ_SANDBOX=on SUUQ_ALLOW_LOOPBACK_WEBHOOKS=1 SUUQ_RATE_IP=0 SUUQ_RATE_USER=0 SUUQ_RATE_KEY=0 \
  node "$SUUQ_CLI" start >"$folder/log" 2>&1 &
service=$!
tries=0
until [ -s "$SUUQ_DATA/service.json" ] && [ -s "$SUUQ_DATA/demo.json" ]; do
  tries=$((tries + 1))
  if [ "$tries" -gt 300 ] || ! kill -0 "$service" 2>/dev/null; then
    cat "$folder/log" >&2
    echo "the service did not start" >&2
    exit 1
  fi
  sleep 0.1
done

key() { node -p "require('$SUUQ_DATA/demo.json').$1"; }
SUUQ_URL=$(key baseUrl) SUUQ_STORE=$(key store.workspaceId) SUUQ_STORE_KEY=$(key store.secretKey)
SUUQ_STORE_PUBLISHABLE=$(key store.publishableKey) SUUQ_PARTNER_KEY=$(key partner.secretKey) SUUQ_OPENAPI="$folder/openapi.json"
export SUUQ_URL SUUQ_STORE SUUQ_STORE_KEY SUUQ_STORE_PUBLISHABLE SUUQ_PARTNER_KEY SUUQ_OPENAPI
curl --silent --show-error --fail --max-time 30 "$SUUQ_URL/api/v1/openapi.json" --output "$SUUQ_OPENAPI"
"$@"
