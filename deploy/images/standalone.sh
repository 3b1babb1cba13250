#!/bin/sh
# Runs the whole server in one container, over the volume /data.
set -eu
[ -w "$CONTINUO_DATA" ] || {
  echo "Continuo cannot start. User id $(id -u) may not write /data: give it to user id 10001 (chown -R 10001:10001) and run as that one, or use a named volume." >&2
  exit 1
}
# A process of another container cannot be seen, but a lock of it can: two servers over one volume would ruin each other's data.
exec 9> "$CONTINUO_DATA/lock"
flock --nonblock 9 || {
  echo 'Continuo cannot start. Another container uses the volume /data: stop that one first, or give each one a volume of its own.' >&2
  exit 1
}
[ ! -d /music ] || set -- --music /music "$@"
# shellcheck source=/dev/null -- written with the package
. /app/process.sh
# shellcheck disable=SC2086,SC2154 -- several options in one line
exec node $node_options /app/bundle/main.js "$@"
