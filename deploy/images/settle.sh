#!/bin/sh
# Run as root while an image is made, over a Debian with a node in it: the folders that it writes, the command line on PATH, no rights to be had, and a list of what Debian gave.
set -eu
mkdir -p /data /podcasts /usr/share/continuo
chown 10001:10001 /data /podcasts
ln --symbolic /app/bin/continuo.mjs /usr/local/bin/continuo
# Nobody needs to become anybody else in a container that runs under one account.
find / -xdev -type f -perm /6000 -exec chmod a-s {} +
node /images/system-sbom.mjs > /usr/share/continuo/system.cdx.json
