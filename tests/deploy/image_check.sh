#!/usr/bin/env bash
# Builds docker/Dockerfile step by step in a clean root, and tries what came out: as the user of the
# image, with a root that cannot be written to and no capabilities. No container service is needed.
#
#   make image-check                  the base image is a stand-in: Debian 12 with its own Python 3.11
#   make image-check BASE=pull        the base image is the real one, from its registry
set -euo pipefail
cd "$(dirname "$0")/../.."

for tool in buildah mmdebstrap unshare setpriv; do
  command -v "$tool" >/dev/null || { echo "image-check needs $tool (Debian: apt-get install buildah mmdebstrap util-linux)" >&2; exit 2; }
done
[ "$(id -u)" = 0 ] || { echo "image-check has to be root: it makes a root file system" >&2; exit 2; }

base=$(sed -n 's/^FROM \([^ ]*\) AS build$/\1/p' docker/Dockerfile)
work=$(mktemp -d "${TMPDIR:-/tmp}/image-check.XXXXXX")
export STORAGE_DRIVER=vfs
images=(buildah --root "$work/store" --runroot "$work/run")
certificates=/etc/ssl/certs/ca-certificates.crt
container=""
finish() {
  [ -z "$container" ] || "${images[@]}" umount "$container" >/dev/null || true
  [ -n "${KEEP:-}" ] && echo "kept: $work" || rm -rf "$work"
}
trap finish EXIT

say() { printf '%s\n' "$*"; }
check() { # check WORDS COMMAND…: the command has to succeed
  local words=$1; shift
  if "$@" >"$work/last.log" 2>&1; then say "ok     $words"; else
    say "wrong  $words"; sed 's/^/       /' "$work/last.log" | tail -20; exit 1
  fi
}

if [ "${BASE:-}" = pull ]; then
  "${images[@]}" pull --quiet "docker.io/library/$base"
else
  say "the base image is a stand-in for $base: Debian 12 and its Python"
  mmdebstrap --quiet --variant=minbase --include=python3,python3-venv,ca-certificates bookworm "$work/base.tar"
  printf 'FROM scratch\nADD base.tar /\nENV PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nRUN ln -s /usr/bin/python3 /usr/local/bin/python\n' >"$work/Dockerfile"
  "${images[@]}" bud --quiet --isolation chroot -t "docker.io/library/$base" "$work" >/dev/null
fi

say "building (some minutes)"
began=$SECONDS
"${images[@]}" bud --format docker --isolation chroot --pull-never -t db-agent -f docker/Dockerfile \
  --volume "$certificates:$certificates:ro" --build-arg "PIP_CERT=$certificates" . >"$work/build.log" 2>&1 ||
  { tail -30 "$work/build.log"; exit 1; }
say "ok     built in $((SECONDS - began)) s"

container=$("${images[@]}" from --pull-never db-agent)
root=$("${images[@]}" mount "$container")
say "       installed: $(du -sm "$root/opt/db-agent" | cut -f1) MB, in all $(du -sm "$root" | cut -f1) MB"

"${images[@]}" inspect --type image db-agent >"$work/image.json"
check "runs as 10001, with labels and a health check" python3 - "$work/image.json" "$work/health.py" <<'PY'
import json, sys
image = json.load(open(sys.argv[1]))
config = image["Docker"]["config"]
assert config["User"] == "10001:10001", config["User"]
assert config["Entrypoint"] == ["db-agent"] and config["Cmd"] == ["serve"], config
assert config["Healthcheck"]["Test"][:2] == ["CMD", "python"], config
open(sys.argv[2], "w").write(config["Healthcheck"]["Test"][3])
assert config["Labels"]["org.opencontainers.image.licenses"] == "Apache-2.0"
assert not [each for each in config["Env"] if "TOKEN" in each or "CERT" in each], config["Env"]
PY
no_compiler() { ! chroot "$root" sh -c 'command -v gcc cc make g++ git; ls /opt/db-agent/bin/pip* /build /src /wheel' 2>/dev/null | grep .; }
check "no compiler, no installer and nothing of the build is left" no_compiler
of_root_alone() { ! find "$root/opt/db-agent" \( ! -user root -o -perm /o+w ! -type l -o -perm /6000 \) | grep .; }
check "what runs belongs to root, and nobody else can change it" of_root_alone

# The root read-only, its data folder and /tmp alone writable, as a user without any rights.
cat >"$work/inside.sh" <<'SH'
set -eu
root=$1; shift
mount --bind "$root" "$root"
mount -t tmpfs -o size=1g,uid=10001,gid=10001,mode=0700 data "$root/var/lib/db-agent"
mount -t tmpfs -o size=256m,mode=1777 tmp "$root/tmp"
mount -t proc proc "$root/proc"
for device in null zero full random urandom; do : >"$root/dev/$device" 2>/dev/null || true; mount --bind "/dev/$device" "$root/dev/$device"; done
mkdir -p "$root/dev/shm"; mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
mount -o remount,bind,ro "$root"
cd "$root/var/lib/db-agent"
exec chroot "$root" /usr/bin/setpriv --reuid 10001 --regid 10001 --clear-groups --bounding-set=-all --no-new-privs \
  /usr/bin/env -i PATH=/opt/db-agent/bin:/usr/local/bin:/usr/bin:/bin HOME=/var/lib/db-agent PYTHONUNBUFFERED=1 \
  DB_AGENT_DATA_DIR=/var/lib/db-agent "$@"
SH
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
inside() { unshare --mount --pid --fork --kill-child sh "$work/inside.sh" "$root" "$@"; }

says() { local text=$1; shift; inside "$@" >"$work/out" 2>"$work/err"; cat "$work/out" "$work/err"; grep -q -- "$text" "$work/out"; }
refused() { ! inside sh -c 'echo x > /opt/db-agent/x || echo x > /etc/x' 2>/dev/null; }
check "the root cannot be written to" refused
check "db-agent --version" says "db-agent" db-agent --version
check "db-agent --help names its commands" says "serve" db-agent --help
for command in serve worker migrate forget doctor; do
  check "db-agent $command --help" says "usage" db-agent "$command" --help
done
check "doctor finds the machine to be well, fonts and charts included" says "" db-agent doctor --only machine
check "a question is answered from the demo database, with a chart" inside sh -c \
  'db-agent ask --model offline --chart /tmp/chart.png "rentals per month, as a line chart" && test -s /tmp/chart.png'
check "the record is made: db-agent migrate" says "The record" db-agent migrate
parts() { # a workspace and two databases; one takes events in, one answers; SIGTERM ends each in order
  inside sh -c '
    db-agent demo --no-browser --model offline --port 18765 --without-bot /tmp/demo.env >/tmp/demo 2>&1 & demo=$!
    for i in $(seq 90); do test -s /tmp/demo.env && break; sleep 1; done; cat /tmp/demo
    set -a; . /tmp/demo.env; DB_AGENT_METRICS_HOST=127.0.0.1; set +a
    db-agent migrate || exit 1
    DB_AGENT_METRICS_PORT=19090 db-agent serve --no-workers & serve=$!
    DB_AGENT_METRICS_PORT=19091 db-agent worker & worker=$!
    for port in 19090 19091; do
      for i in $(seq 60); do DB_AGENT_METRICS_PORT=$port python -c "$0" && break; sleep 1; done
      DB_AGENT_METRICS_PORT=$port python -c "$0" || exit 1
      for i in $(seq 60); do
        python -c "import urllib.request as u; u.urlopen(\"http://127.0.0.1:$port/readyz\")" && break; sleep 1
      done 2>/dev/null
      python -c "import urllib.request as u; u.urlopen(\"http://127.0.0.1:$port/readyz\")" || exit 1
    done
    for each in $serve $worker $demo; do kill -TERM $each; wait $each || exit 1; done' "$(cat "$work/health.py")"
}
check "serve --no-workers and a worker are healthy and ready behind one store, and stop when told to" parts
say "all is well"
