const syncsafe = (size: number): number[] => [21, 14, 7, 0].map((shift) => (size >>> shift) & 0x7f);

/** One ID3v2.4 frame. */
export const id3Frame = (id: string, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(id), Buffer.from([...syncsafe(content.length), 0, 0]), content]);

/** A text frame; several values are separated by NUL, as the standard says. */
export const id3Text = (id: string, ...values: string[]): Buffer =>
  id3Frame(id, Buffer.concat([Buffer.from([3]), Buffer.from(values.join('\0'))]));

/** A front cover. */
export const id3Cover = (mime: string, picture: Uint8Array): Buffer =>
  id3Frame('APIC', Buffer.concat([Buffer.from([0]), Buffer.from(`${mime}\0`, 'latin1'), Buffer.from([3, 0]), picture]));

/** Lyrics with times in milliseconds. */
export const id3Timed = (language: string, lines: readonly (readonly [string, number])[]): Buffer => {
  const body = lines.map(([text, ms]) => {
    const time = Buffer.alloc(4);
    time.writeUInt32BE(ms);
    return Buffer.concat([Buffer.from(`${text}\0`), time]);
  });
  return id3Frame('SYLT', Buffer.concat([Buffer.from([3]), Buffer.from(language), Buffer.from([2, 1, 0]), ...body]));
};

/** A whole tag, to be put in front of MPEG audio. */
export const id3Tag = (...frames: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(frames);
  return Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0, ...syncsafe(body.length)]), body]);
};
