#!/bin/sh
# Run as root over a Debian with ffmpeg: takes away what only windows on a screen need. Nothing is ever drawn in a container; the libraries would be looked for when a window opens.
set -eu
drawing=$(dpkg-query --show --showformat '${Package}\n' 'libllvm*' 'libz3-*' libgl1-mesa-dri xkb-data 2> /dev/null || true)
# shellcheck disable=SC2086 -- one name on each line
[ -z "$drawing" ] || dpkg --purge --force-depends $drawing
ffmpeg -version > /dev/null
