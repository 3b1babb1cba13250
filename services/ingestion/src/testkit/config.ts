/** Path of ffmpeg for tests: `FFMPEG_PATH`, else whatever `PATH` finds. */
export const ffmpegPath: string = process.env['FFMPEG_PATH'] || 'ffmpeg';
