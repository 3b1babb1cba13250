import type { RequestParams } from '../../auth/index.js';
import { textParam } from '../../server/requests/parameters.js';
import type { SongFile } from '../../reads/songs/songs.reads.js';
import type { StreamRequest } from '../../transcode/decision/decide-stream.js';
import { requestedBitrateKbps, requestedGainDb, requestedMs, streamRequestFor } from '../../transcode/decision/stream-request.js';

/** `segment` counts slices of this length. */
const SLICE_MS = 10_000;
const MOST_SLICES = 60_000;

const sliceOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,20}$/.test(text) ? Math.min(Number(text), MOST_SLICES) : undefined;

/**
 * Reads the requested form of a song from a play URL: `transcode_to` or `format`, `bitrate` in bit/s, a part by `frame` and `duration` in
 * seconds or by `segment` in slices of ten, `gain` in dB from -30 to 30, and `content_length=required`. `format=raw` wins over `transcode_to`.
 * @throws Rejection `input.invalid` for a format that cannot be made, a start behind the end, or a gain that is none
 */
export const playRequest = (
  params: RequestParams,
  file: SongFile,
): { readonly streamRequest: StreamRequest; readonly needsLength: boolean } => {
  const text = (name: string): string | undefined => textParam(params, name)?.trim();
  const format = text('format') || text('transcode_to');
  const slice = sliceOf(text('segment'));
  const part =
    slice === undefined
      ? { offsetMs: requestedMs(text('frame')), lengthMs: requestedMs(text('duration')) }
      : { offsetMs: slice * SLICE_MS, lengthMs: SLICE_MS };
  const formatParameter = text('format') ? 'format' : 'transcode_to';
  const sound = { format, formatParameter, maxKbps: requestedBitrateKbps(text('bitrate')), gainDb: requestedGainDb(text('gain')) };
  const streamRequest = streamRequestFor(file, { ...sound, ...part });
  return { streamRequest, needsLength: text('content_length') === 'required' };
};
