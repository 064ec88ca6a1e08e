#!/bin/sh
# Starts what compose.yaml describes, with secrets of its own: made once, kept in deploy/secrets.
# Usage: [SITE_HOST=madhouse.example] sh deploy/up.sh
set -eu
cd "$(dirname "$0")/.."

secrets=deploy/secrets
# Only this user enters the folder; in it the servers' users, who have other numbers, may read what they are handed.
mkdir -p "$secrets" && chmod 700 "$secrets"
make() { [ -s "$secrets/$1" ] || { printf '%s' "$2" >"$secrets/$1" && chmod 644 "$secrets/$1"; }; }
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

make database_password "$(random)"
make database_url "postgres://madhouse:$(cat "$secrets/database_password")@database:5432/madhouse"
make s3_access_key_id "$(random)"
make s3_secret_access_key "$(random)"
make setup_key "$(random)"

if [ "${1:-}" = --secrets-only ]; then exit; fi
docker compose up --build --detach --wait
echo "Madhouse is open at https://${SITE_HOST:-localhost}. Create the first admin at /admin-setup with the key in $secrets/setup_key."
