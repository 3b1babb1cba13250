/** Codecs whose captions are text, by ffmpeg's names; those that are pictures cannot be sent as one, and need more than a renderer of text. */
const TEXT_CODECS: ReadonlySet<string> = new Set(['subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text', 'microdvd']);

/** True for a codec of captions that are text. */
export const isTextCaptions = (codec: string | undefined): boolean => TEXT_CODECS.has(codec ?? '');
