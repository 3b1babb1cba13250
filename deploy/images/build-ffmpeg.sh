#!/bin/sh
# Run as root over a Debian with a compiler: builds ffmpeg and ffprobe from Debian's source in folder $1, with the libraries that Continuo asks for, into folder $2 (decision 0111).
set -eu
# Its hardening, and no information for debuggers, which would be stripped.
export DEB_BUILD_MAINT_OPTIONS=hardening=+all DEB_CFLAGS_MAINT_STRIP=-g
work=$(mktemp --directory)
dpkg-source --extract "$1"/ffmpeg_*.dsc "$work/source"
cd "$work/source"
# What services/transcoding opens, and captions; a spec there compares them.
demuxers='aac,ac3,aiff,amr,ape,asf,ass,au,avi,caf,dsf,dts,dtshd,dv,eac3,flac,flv,h264,hevc,iff,ivf,live_flv,loas,m4v,matroska,mlp,mov,mp3,mpc,mpc8,mpegps,mpegts,mpegvideo,mxf,nut,ogg,oma,rm,shorten,srt,tak,truehd,tta,voc,w64,wav,webvtt,wtv,wv'
# What is found in these: neither games nor single pictures of other programs.
sound='aac,aac_latm,ac3,adpcm_*,alac,amrnb,amrwb,ape,atrac*,cook,dca,dsd_*,dvaudio,eac3,eightsvx_*,evrc,flac,g723_1,g729,gsm,gsm_ms,iac,ilbc,imc,mace*,metasound,mlp,mp1*,mp2*,mp3*,mpc7,mpc8,nellymoser,on2avc,opus,pcm_*,qcelp,qdm*,ra_*,ralf,s302m,shorten,sipr,speex,tak,truehd,truespeech,tta,twinvq,vorbis,wavpack,wma*,xma*'
pictures='asv*,bmp,cavs,cfhd,cinepak,cscd,dirac,dnxhd,dvvideo,eightbps,ffv1,ffvhuff,flashsv*,flv,fraps,gif,h26*,hevc,huffyuv,indeo*,jpeg2000,lagarith,libdav1d,magicyuv,mjpeg*,mpeg1video,mpeg2video,mpeg4,mpegvideo,msmpeg4*,msrle,mss*,msvideo1,mszh,png,prores,qtrle,r10k,r210,rawvideo,rpza,rv*,snow,svq*,theora,truemotion*,tscc*,utvideo,v210,v308,v408,v410,vc1,vp*,webp,wmv*,y41p,yuv4,zlib,zmbv'
captions='ass,ccaption,dvbsub,dvdsub,microdvd,movtext,pgssub,srt,ssa,subrip,text,webvtt,xsub'
# Of encoders, filters and libraries what services/transcoding names.
./configure --prefix=/usr --extra-version=continuo --enable-gpl --disable-autodetect --disable-debug --disable-devices --disable-doc --disable-ffplay \
  --extra-cflags="$(dpkg-buildflags --get CFLAGS)" --extra-ldflags="$(dpkg-buildflags --get LDFLAGS)" \
  --disable-protocols --enable-protocol=file,pipe,http,tcp --disable-demuxers --enable-demuxer="$demuxers" \
  --disable-decoders --enable-decoder="$sound,$pictures,$captions" \
  --disable-encoders --enable-encoder=aac,flac,libmp3lame,libopus,libvorbis,libvpx_vp9,libx264,pcm_f32le,pcm_s16le,pcm_s24le,srt,subrip \
  --disable-filters --enable-filter=aformat,anull,aresample,atrim,format,null,scale,setpts,setsar,subtitles,trim,volume \
  --enable-iconv --enable-zlib --enable-libass --enable-libdav1d --enable-libmp3lame --enable-libopus --enable-libvorbis --enable-libvpx --enable-libx264
make --jobs="$(nproc)"
mkdir -p "$2/usr/bin" "$2/usr/share/doc/ffmpeg"
install --strip ffmpeg ffprobe "$2/usr/bin/"
cp debian/copyright "$2/usr/share/doc/ffmpeg/copyright"
dpkg-parsechangelog --show-field Version > "$2/usr/share/doc/ffmpeg/version"
rm -rf "$work"
