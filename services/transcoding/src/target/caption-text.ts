/** Bytes of a file that are inspected. */
export const CAPTION_HEAD_BYTES = 512;

/** First lines of SubRip (a number, or a time where it is left out), WebVTT and (Advanced) SubStation Alpha. */
const FIRST_LINE = /^(?:\d{1,7}|-?\d{1,3}:\d\d[\d:.,]* *-->.*|WEBVTT(?:[ \t].*)?|\[Script Info\]|[;!].*)$/i;
/** A leading comment, as in SubStation Alpha, must not be the magic of other formats. */
const REMARK_OF_OTHERS = /^;FFMETADATA/i;

const decoded = (head: Buffer): string => {
  const mark = head.length >= 2 ? head.readUInt16BE(0) : 0;
  if (mark === 0xff_fe) return head.toString('utf16le');
  if (mark === 0xfe_ff)
    return Buffer.from(head.subarray(0, head.length & ~1))
      .swap16()
      .toString('utf16le');
  return head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
};

/**
 * True for the beginning of a file of subtitles. The filter that draws them opens whatever it finds, without the lists of protocols and formats that ffmpeg is given for media: a
 * list of other files that calls itself `film.srt` must not get there.
 */
export const beginsLikeCaptions = (head: Buffer): boolean => {
  const line = decoded(head)
    .replace(/^\ufeff/, '')
    .split(/[\r\n]+/)
    .map((text) => text.trim())
    .find((text) => text !== '');
  return line !== undefined && FIRST_LINE.test(line) && !REMARK_OF_OTHERS.test(line);
};
