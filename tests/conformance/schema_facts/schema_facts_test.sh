#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The facts in src/apiserver/kubernetes.schema come from upstream's own types. Without arguments:
# compares the file with a fresh one, and exits with 77 where there is no Go. With --write: replaces
# it.
set -euo pipefail
cd "$(dirname "$0")/../../.."

file=src/apiserver/kubernetes.schema
command -v go >/dev/null || {
  echo "schema: no Go on this machine, so the facts cannot be compared with upstream's"
  exit 77
}
fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
{
  printf '# Made by tests/conformance/schema_facts/schema_facts_test.sh from k8s.io/kubernetes %s; the notation: schema_text.h.\n' \
    "$(sed -nE 's#^(require |\t)k8s.io/kubernetes (v[0-9.]+)$#\2#p' tools/peers/newest/go.mod)"
  (cd tools/peers/newest && CGO_ENABLED=0 go run -trimpath ./schema)
} >"$fresh"
if [[ ${1:-} == --write ]]; then
  cp "$fresh" "$file"
elif ! diff -u "$file" "$fresh"; then
  echo "schema: $file is not what upstream's types say; run tests/conformance/schema_facts/schema_facts_test.sh --write"
  exit 1
fi
