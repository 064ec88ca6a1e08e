#!/bin/sh
# Starts deploy/compose.cluster.yaml with generated secrets, which are stored in deploy/secrets.
# Usage: SMTP_URL=smtps://… MAIL_FROM=… [SITE_HOST=madhouse.example] sh deploy/up.sh   (or MAIL_DELIVERY=outbox, to try it)
set -eu
cd "$(dirname "$0")/.."

secrets=deploy/secrets
# Only this user can enter the folder; the files are readable, because containers run as other user ids.
mkdir -p "$secrets" && chmod 700 "$secrets"
make() { [ -s "$secrets/$1" ] || { printf '%s' "$2" >"$secrets/$1" && chmod 644 "$secrets/$1"; }; }
random() { od -An -N"${1:-12}" -tx1 /dev/urandom | tr -d ' \n'; }

make database_password "$(random 24)"
make database_url "postgres://madhouse:$(cat "$secrets/database_password")@database:5432/madhouse"
# The format of Garage keys.
make s3_access_key_id "GK$(random)"
make s3_secret_access_key "$(random 32)"
make store.env "GARAGE_RPC_SECRET=$(random 32)
GARAGE_DEFAULT_ACCESS_KEY=$(cat "$secrets/s3_access_key_id")
GARAGE_DEFAULT_SECRET_KEY=$(cat "$secrets/s3_secret_access_key")"
make setup_key "$(random 24)"

if [ "${1:-}" = --secrets-only ]; then exit; fi
docker compose --file deploy/compose.cluster.yaml up --build --detach --wait
echo "Madhouse is open at https://${SITE_HOST:-localhost}. Create the first admin at /admin-setup with the key in $secrets/setup_key."
