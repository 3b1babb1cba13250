/** ffmpeg names of text caption codecs; captions of other codecs are pictures. */
const TEXT_CODECS: ReadonlySet<string> = new Set(['subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text', 'microdvd']);

/** True for a text caption codec. */
export const isTextCaptions = (codec: string | undefined): boolean => TEXT_CODECS.has(codec ?? '');
