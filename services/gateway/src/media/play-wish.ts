import type { RequestParams } from '../auth/index.js';
import { textParam } from '../http/parameters.js';
import type { SongFile } from '../reads/songs.reads.js';
import type { StreamWish } from '../transcode/decision/decide-stream.js';
import { bitrateWish, secondsWish, wishFor } from '../transcode/decision/read-wish.js';

/** `segment` counts slices of this length. */
const SLICE_MS = 10_000;
const MOST_SLICES = 60_000;

const sliceOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,20}$/.test(text) ? Math.min(Number(text), MOST_SLICES) : undefined;

/**
 * What a play address says of the form in which its song is wanted (native README section 12): `transcode_to` or `format`, `bitrate` in bit/s, a part by `frame` and `duration` in
 * seconds or by `segment` in slices of ten, and `content_length=required`. `format=raw` wins over `transcode_to`.
 * @throws Rejection `input.invalid` for a format that cannot be made, or a start behind the end
 */
export const playWish = (params: RequestParams, file: SongFile): { readonly wish: StreamWish; readonly needsLength: boolean } => {
  const text = (name: string): string | undefined => textParam(params, name)?.trim();
  const format = text('format') || text('transcode_to');
  const slice = sliceOf(text('segment'));
  const part =
    slice === undefined
      ? { offsetMs: secondsWish(text('frame')), lengthMs: secondsWish(text('duration')) }
      : { offsetMs: slice * SLICE_MS, lengthMs: SLICE_MS };
  const formatParameter = text('format') ? 'format' : 'transcode_to';
  const wish = wishFor(file, { format, formatParameter, maxKbps: bitrateWish(text('bitrate')), ...part });
  return { wish, needsLength: text('content_length') === 'required' };
};
