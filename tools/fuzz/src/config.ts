/** What a started server inherits of this process's environment: where programs lie, nothing else. */
export const inherited: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'HOME', 'TMPDIR', 'NATS_SERVER_BIN', 'FFMPEG_PATH', 'FFPROBE_PATH'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
