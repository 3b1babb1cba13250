/**
 * The demuxers that media files may be opened with, by ffmpeg's names. None of them opens further files or addresses by what it reads, as playlists and
 * lists of segments do: a text that calls itself `song.mp3` must not make ffmpeg look elsewhere.
 */
export const INPUT_FORMATS: readonly string[] = [
  'mp3,flac,ogg,mov,aac,loas,wav,w64,aiff,caf,au,asf,ape,wv,mpc,mpc8,tta,tak,dsf,iff,amr,ac3,eac3,dts,dtshd,mlp,truehd,shn,rm,oma,voc',
  'matroska,avi,mpeg,mpegts,mpegvideo,flv,live_flv,m4v,h264,hevc,ivf,dv,nut,wtv,mxf',
].flatMap((names) => names.split(','));
