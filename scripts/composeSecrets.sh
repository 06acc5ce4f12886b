#!/bin/sh
# Passwords of the engines in docker-compose.yml and of what watches them, made once and kept in .env beside it (mode 0600), where compose finds
# them. What is there already stays as it is. Another file may be named as the argument.
set -eu
umask 077
file=${1:-$(dirname "$0")/../.env}
touch "$file"
chmod 600 "$file"
for name in EVENTSTORE_PASSWORD MONGODB_ROOT_PASSWORD MONGODB_PASSWORD MONGODB_REPLICA_KEY GRAFANA_PASSWORD; do
  grep -q "^$name=." "$file" || echo "$name=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')" >>"$file"
done
