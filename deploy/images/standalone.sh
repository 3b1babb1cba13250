#!/bin/sh
# Runs the whole server in one container, over the volume /data.
set -eu
# A process of another container cannot be seen, but a lock of it can: two servers over one volume would ruin each other's data.
exec 9> "$CONTINUO_DATA/lock"
flock --nonblock 9 || {
  echo 'Continuo cannot start. Another container uses the volume /data: stop that one first, or give each one a volume of its own.' >&2
  exit 1
}
[ ! -d /music ] || set -- --music /music "$@"
# shellcheck disable=SC2046 -- several options in one line
exec node $(cat /app/node-options) /app/bundle/main.js "$@"
