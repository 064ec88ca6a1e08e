#!/bin/bash
# Builds the image without Docker and without a registry, and runs it as a container would: first start, a page, a backup,
# a restore, a stop. As root on Debian with buildah and debootstrap, some minutes, the network, and 4 GB below TMPDIR:
#   bash tests/operator/installing/try-image.sh
# The base image replaces node:24-bookworm-slim: a minimal Debian from debootstrap with the Node of launcher/node and this
# machine's npm. The Dockerfile is used unchanged.
set -euo pipefail
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
mkdir "$work/lower" "$work/upper" "$work/overlay"
# Layers as overlays where possible: vfs copies the whole base for each.
if mount -t overlay overlay -o "lowerdir=$work/lower,upperdir=$work/upper,workdir=$work/overlay" "$work/lower" 2>/dev/null; then
  umount "$work/lower"
  STORAGE_DRIVER=overlay
fi
store=(--root "$work/storage" --runroot "$work/run")
mounted=
cleanup() {
  [ -z "$mounted" ] || buildah "${store[@]}" umount "$mounted" >/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
step() { printf '\n== %s\n' "$*"; }

step 'A base of Debian with Node 24 and npm'
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -1)
debootstrap --variant=minbase bookworm "$work/base" "$mirror" >"$work/debootstrap.log" || { tail "$work/debootstrap.log"; exit 1; }
[ -z "$(find "$work/base" -name 'libatomic*')" ] || { echo 'The base has libatomic.'; exit 1; }
node=launcher/node
if ! ls "$node"/node_modules/node-linux-*/bin/node >/dev/null 2>&1; then
  cp launcher/node/package.json launcher/node/package-lock.json launcher/node/.npmrc "$work"
  (cd "$work" && npm ci --loglevel=error >/dev/null)
  node=$work
fi
cp "$node"/node_modules/node-linux-*/bin/node "$work/base/usr/local/bin/node"
cp -r "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$work/base/usr/local/lib/npm"
ln -s ../lib/npm/bin/npm-cli.js "$work/base/usr/local/bin/npm"
buildah "${store[@]}" from --name plain scratch >/dev/null
buildah "${store[@]}" add -q plain "$work/base" / >/dev/null
buildah "${store[@]}" config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin plain
# npm uses the certificate authorities of this machine.
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  buildah "${store[@]}" add -q plain "$NODE_EXTRA_CA_CERTS" /etc/authorities.crt >/dev/null
  buildah "${store[@]}" config --env NODE_EXTRA_CA_CERTS=/etc/authorities.crt plain
fi
buildah "${store[@]}" commit -q plain madhouse-base >/dev/null
buildah "${store[@]}" rm plain >/dev/null
rm -rf "$work/base" "$work/node_modules"

step 'The image'
buildah "${store[@]}" bud -q --format docker --layers=false \
  --build-arg BASE=localhost/madhouse-base -t madhouse . >"$work/build.log" 2>&1 || { tail -40 "$work/build.log"; exit 1; }
buildah "${store[@]}" inspect --type image --format '{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.Cmd}}' madhouse
mounted=$(buildah "${store[@]}" from madhouse)
root=$(buildah "${store[@]}" mount "$mounted")
echo "the image has $(du -sm "$root/madhouse" | cut -f1) MB, and its base $(($(du -sm "$root" | cut -f1) - $(du -sm "$root/madhouse" | cut -f1))) MB"

# Runs a command as the image's user with a read-only root and only a loopback network. $1: data folder.
mkdir -p "$root/data"
container() {
  local data=$1
  shift
  ROOT=$root DATA=$data exec unshare --mount --net --pid --fork --kill-child sh -c '
    ip link set lo up 2>/dev/null || true
    mount --bind "$ROOT" "$ROOT" && mount --bind "$DATA" "$ROOT/data" && mount -t proc proc "$ROOT/proc"
    mount --bind /dev "$ROOT/dev" && mount -t tmpfs tmpfs "$ROOT/tmp" && mount -o remount,ro,bind "$ROOT"
    exec chroot --userspec=10001:10001 "$ROOT" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOST=127.0.0.1 PORT=3000 \
      DATA_DIR=/data SEED="$SEED" sh -c "cd /madhouse; touch written 2>/dev/null && echo the root can be written; exec node launch.mjs \"\$@\"" -- "$@"
  ' -- "$@"
}
in_it() { nsenter --target "$(pgrep -P "$shell" | head -1)" --net -- "$@"; }
start() {
  (container "$1" start) >"$work/out" 2>&1 &
  shell=$!
  local began=$SECONDS
  until in_it curl -fsS http://127.0.0.1:3000/ready >/dev/null 2>&1; do
    kill -0 "$shell" 2>/dev/null && ((SECONDS - began < 180)) || { cat "$work/out"; exit 1; }
    sleep 0.5
  done
  echo "ready after $((SECONDS - began)) s"
  ! grep -q 'the root can be written' "$work/out" || { echo 'The root can be written.'; exit 1; }
}
stop() {
  local began=$SECONDS code=0
  kill -TERM "$(pgrep -P "$shell" | head -1)"
  wait "$shell" || code=$?
  echo "ended with $code after $((SECONDS - began)) s"
  [ "$code" = 0 ]
}
titles() { in_it curl -fsS http://127.0.0.1:3000/case-studies | grep -o '<h2[^>]*>.*' | sed 's/<[^>]*>//g' | cksum; }
shown() { in_it curl -fsS "http://127.0.0.1:3000/storage/v1/object/public/$picture" | cksum; }
for name in data restored; do mkdir -m 700 "$work/$name" && chown 10001:10001 "$work/$name"; done

step 'The first start'
export SEED=project
start "$work/data"
in_it curl -fsS http://127.0.0.1:3000/case-studies | grep -o '<title>[^<]*</title>'
picture=case-studies/images/$(cat /proc/sys/kernel/random/uuid).webp
key=$(grep -o 'sb_secret_[A-Za-z0-9_-]*' "$work/data/keys.json" | head -1)
in_it curl -fsS -H "apikey: $key" -H "authorization: Bearer $key" -H 'content-type: image/webp' \
  --data-binary @supabase/seed-pictures/1/0.webp "http://127.0.0.1:3000/storage/v1/object/$picture" >/dev/null
before="$(titles) $(shown)"
stop

step 'A backup and its restore'
(container "$work/data" archive make /data/backup.archive)
mv "$work/data/backup.archive" "$work/restored/"
(container "$work/restored" archive load /data/backup.archive)
export SEED=none
start "$work/restored"
[ "$(titles) $(shown)" = "$before" ] || { echo 'The restored list or picture is another one.'; exit 1; }
echo 'the restored list and picture are the same'
stop
