/** Path of ffmpeg for tests: `FFMPEG_PATH`, else whatever `PATH` finds. */
export const ffmpegPath: string = process.env['FFMPEG_PATH'] || 'ffmpeg';
/** Path of ffprobe for tests: `FFPROBE_PATH`, else whatever `PATH` finds. */
export const ffprobePath: string = process.env['FFPROBE_PATH'] || 'ffprobe';
