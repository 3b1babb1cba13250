#!/bin/sh
# Health check of nats-server in a container, where it is process 1. helm/continuo/files/nats-health.sh is a copy of
# deploy/nats-health.sh. After a write that the disk has refused, nats-server takes no further write to that stream
# (2.14 and newer) or switches JetStream off (in a cluster, and older ones) until it is started again: as soon as there
# is room it is ended here, and whoever keeps the container running starts it. While the disk is full it counts as
# healthy: reads go on, and a start would not help. A cluster without a leader counts as healthy too.
store=${1:-/data}
port=${2:-8222}
server=${3:-1}
# wget shows no body of an answer that tells of a fault.
case $(printf 'GET /healthz?details=true HTTP/1.0\r\n\r\n' | nc -w 3 127.0.0.1 "$port") in
  *'write error'* | *'JetStream not enabled'*) ;;
  *) exec wget -q -O /dev/null "http://127.0.0.1:$port/healthz?js-enabled-only=true" ;;
esac
# Columns of df: device, size, used, free.
set -- $(df -Pk "$store" | tail -n 1)
[ "$4" -lt $(($2 / 20)) ] && exit 0
echo 'a write has failed and there is room now: nats-server is started again' >&2
kill -TERM "$server"
exit 1
