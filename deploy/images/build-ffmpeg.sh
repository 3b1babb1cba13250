#!/bin/sh
# Run as root over a Debian with a compiler: builds ffmpeg and ffprobe from Debian's source in folder $1, with the libraries that Continuo asks for, into folder $2 (decision 0111).
set -eu
export DEB_BUILD_MAINT_OPTIONS=hardening=+all
work=$(mktemp --directory)
dpkg-source --extract "$1"/ffmpeg_*.dsc "$work/source"
cd "$work/source"
# All that ffmpeg reads by itself; of encoders, filters and libraries what services/transcoding names.
./configure --prefix=/usr --extra-version=continuo --enable-gpl --disable-autodetect --disable-debug --disable-devices --disable-doc --disable-ffplay \
  --extra-cflags="$(dpkg-buildflags --get CFLAGS)" --extra-ldflags="$(dpkg-buildflags --get LDFLAGS)" \
  --disable-encoders --enable-encoder=aac,flac,libmp3lame,libopus,libvorbis,libvpx_vp9,libx264,pcm_f32le,pcm_s16le,pcm_s24le,srt,subrip \
  --disable-filters --enable-filter=aformat,anull,aresample,atrim,format,null,scale,setpts,setsar,subtitles,trim \
  --enable-iconv --enable-zlib --enable-libass --enable-libdav1d --enable-libmp3lame --enable-libopus --enable-libvorbis --enable-libvpx --enable-libx264
make --jobs="$(nproc)"
mkdir -p "$2/usr/bin" "$2/usr/share/doc/ffmpeg"
install --strip ffmpeg ffprobe "$2/usr/bin/"
cp debian/copyright "$2/usr/share/doc/ffmpeg/copyright"
dpkg-parsechangelog --show-field Version > "$2/usr/share/doc/ffmpeg/version"
rm -rf "$work"
