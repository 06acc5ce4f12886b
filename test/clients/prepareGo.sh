#!/usr/bin/env bash
# prepareGo.sh FILE: builds the Go client of the protocol endpoint's tests. 0: it is at FILE. 3: it cannot be had here, and the last
# line printed says why: then its test is skipped under that reason. Anything else: our own program does not compile.
set -uo pipefail
file=$1
cd "${BASH_SOURCE[0]%/*}/go" || exit 1

if ! command -v go >/dev/null; then
  echo "go is not installed"
  exit 3
fi
if ! said=$(timeout 240 go mod download 2>&1); then
  echo "$said" >&2
  said=${said##*$'\n'}
  echo "its module could not be had: ${said:-nothing came within 240 s}"
  exit 3
fi
timeout 300 go build -o "$file" . || exit 1
