#!/bin/sh
# The manifests for Kubernetes before the tools that operators have: put together by kustomize, held to the schemas of Kubernetes to the last
# field (kubernetes-validate), and looked through by kube-score. Needs kubectl, python3 and go; fetches the two into a folder of its own, or
# takes a kube-score that is there.
set -eu
home=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet 'kubernetes-validate>=1.32'
score=$(command -v kube-score || true)
if [ -z "$score" ]; then
  GOBIN="$folder/bin" go install github.com/zegl/kube-score/cmd/kube-score@v1.20.0
  score="$folder/bin/kube-score"
fi
for part in base example; do
  kubectl kustomize "$home/deploy/kubernetes/$part" >"$folder/$part.yaml"
  "$folder/python/bin/kubernetes-validate" --strict --quiet "$folder/$part.yaml"
  "$score" score --output-format ci "$folder/$part.yaml" | grep -v '^\[OK\]\|^\[SKIPPED\]' && exit 1
  echo "$part: right by the schemas, and kube-score finds nothing"
done
