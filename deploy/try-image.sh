#!/bin/bash
# Builds the image without Docker and without a registry, starts it as a container would, and fetches a page. By hand, as root, on
# Debian with `apt-get install buildah debootstrap`; it takes some minutes, the network and 4 GB below TMPDIR:
#   bash deploy/try-image.sh
# The base is made by debootstrap; its npm and Node are this machine's. What is proved: the image builds from what .dockerignore
# leaves, runs as nobody in particular on a read-only root with no network but loopback, writes below /data alone, answers, and ends
# within ten seconds of SIGTERM with code 0.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
store=(--root "$work/storage" --runroot "$work/run")
mounted=
cleanup() {
  [ -z "$mounted" ] || buildah "${store[@]}" umount "$mounted" >/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
step() { printf '\n== %s\n' "$*"; }

step 'A base of Debian'
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -1)
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
debootstrap --variant=minbase --include=ca-certificates,libatomic1,libstdc++6 "$suite" "$work/base" "$mirror" >"$work/debootstrap.log"
buildah "${store[@]}" from --name plain scratch >/dev/null
buildah "${store[@]}" add -q plain "$work/base" /
buildah "${store[@]}" commit -q plain madhouse-base >/dev/null
# With this machine's Node and npm, and the authorities that it trusts.
node=$(readlink -f "$(command -v node)")
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
buildah "${store[@]}" add -q plain "$node" /usr/bin/node
buildah "${store[@]}" add -q plain "$npm" /usr/lib/npm
buildah "${store[@]}" run plain -- ln -s /usr/lib/npm/bin/npm-cli.js /usr/bin/npm
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  buildah "${store[@]}" add -q plain "$NODE_EXTRA_CA_CERTS" /etc/ssl/extra.crt
  buildah "${store[@]}" config --env NODE_EXTRA_CA_CERTS=/etc/ssl/extra.crt plain
fi
buildah "${store[@]}" commit -q plain madhouse-build-base >/dev/null
buildah "${store[@]}" rm plain >/dev/null
rm -rf "$work/base"

step 'The image'
buildah "${store[@]}" bud -q --format docker --layers=false \
  --build-arg BUILD_BASE=localhost/madhouse-build-base --build-arg BASE=localhost/madhouse-base -t madhouse . >/dev/null
buildah "${store[@]}" inspect --type image --format '{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.Cmd}}' madhouse
mounted=$(buildah "${store[@]}" from madhouse)
root=$(buildah "${store[@]}" mount "$mounted")
du -sh "$root" | cut -f1

step 'A start, as a container starts it'
mkdir -m 700 "$work/data" && chown 10001:10001 "$work/data"
inside='
  ip link set lo up 2>/dev/null || true
  mount --bind "$ROOT" "$ROOT" && mount --bind "$DATA" "$ROOT/data" && mount -t proc proc "$ROOT/proc"
  mount --bind /dev "$ROOT/dev" && mount -t tmpfs tmpfs "$ROOT/tmp" && mount -o remount,ro,bind "$ROOT"
  exec chroot --userspec=10001:10001 "$ROOT" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOST=127.0.0.1 PORT=3000 DATA_DIR=/data \
    SEED=none sh -c "cd /madhouse && touch written 2>/dev/null && echo the root can be written; exec node launch.mjs start"
'
ROOT=$root DATA=$work/data unshare --mount --net --pid --fork --kill-child sh -c "$inside" >"$work/out" 2>&1 &
shell=$!
began=$SECONDS
in_it() { nsenter --target "$(pgrep -P "$shell" | head -1)" --net -- "$@"; }
until in_it curl -fsS http://127.0.0.1:3000/ready 2>/dev/null; do
  kill -0 "$shell" 2>/dev/null && ((SECONDS - began < 120)) || { cat "$work/out"; exit 1; }
  sleep 0.5
done
echo
echo "ready after $((SECONDS - began)) s"
in_it curl -fsS http://127.0.0.1:3000/case-studies | grep -o '<title>[^<]*</title>'
grep -q 'the root can be written' "$work/out" && { echo 'The root can be written.'; exit 1; }
began=$SECONDS
kill -TERM "$(pgrep -P "$shell" | head -1)"
code=0
wait "$shell" || code=$?
echo "ended with $code after $((SECONDS - began)) s"
[ "$code" = 0 ]
