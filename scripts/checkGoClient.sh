#!/bin/sh
# A client for Go, generated from the OpenAPI document as a partner would, and a program that plays a flow on it against a service of its own
# (test/openapi/clients/go). Needs go, node and curl. Run `npm run build` first.
set -eu
home=$(cd "$(dirname "$0")/.." && pwd)
[ -n "${SUUQ_OPENAPI:-}" ] || exec sh "$home/scripts/withService.sh" sh "$home/scripts/checkGoClient.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$home"/test/openapi/clients/go/* "$folder"
cd "$folder"
mkdir suuq
go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config oapi-codegen.yaml "$SUUQ_OPENAPI"
go build -o flow .
timeout 120 ./flow
