#!/bin/bash
# Asked by the container's engine every few seconds, so it is no Node program: healthy is a service that can do its work.
set -euo pipefail
exec 3<> "/dev/tcp/127.0.0.1/${HEALTH_PORT:-9090}"
printf 'GET /health/ready HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3
IFS= read -r status <&3
case $status in
  *' 200 '*) ;;
  *)
    # Why not, for `docker inspect`.
    cat <&3 >&2
    exit 1
    ;;
esac
