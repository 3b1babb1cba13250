/** Environment that a started server inherits: locations of programs, nothing else. */
export const inherited: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'HOME', 'TMPDIR', 'NATS_SERVER_BIN', 'FFMPEG_PATH', 'FFPROBE_PATH'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
