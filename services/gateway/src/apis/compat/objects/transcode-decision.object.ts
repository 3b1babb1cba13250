import { objectTable } from '../../../render/object-table.js';
import type { ClientDecision, StreamDetails } from '../../../transcode/decision/decide-for-client.js';
import { fieldsOf, OPTIONAL } from './fields.js';

/** A decision with the token for its stream. */
export interface TokenedDecision extends ClientDecision {
  readonly token?: string;
}

const stream = fieldsOf<StreamDetails>();
const streamDetails = (name: string) =>
  objectTable<StreamDetails, undefined>(
    name,
    [
      stream.text('protocol', ({ protocol }) => protocol),
      stream.text('container', ({ container }) => container),
      stream.text('codec', ({ codec }) => codec),
      stream.int('audioChannels', ({ audioChannels }) => audioChannels, OPTIONAL),
      stream.int('audioBitrate', ({ audioBitrate }) => audioBitrate, OPTIONAL),
      stream.text('audioProfile', ({ audioProfile }) => audioProfile, OPTIONAL),
      stream.int('audioSamplerate', ({ audioSamplerate }) => audioSamplerate, OPTIONAL),
      stream.int('audioBitdepth', ({ audioBitdepth }) => audioBitdepth, OPTIONAL),
    ],
    'stream_details',
  );

const decision = fieldsOf<TokenedDecision>();

/** A transcode decision (schema type TranscodeDecision). */
export const transcodeDecision = objectTable<TokenedDecision, undefined>('transcodeDecision', [
  decision.bool('canDirectPlay', ({ canDirectPlay }) => canDirectPlay),
  decision.bool('canTranscode', ({ target }) => target !== undefined),
  decision.text('errorReason', ({ error }) => error, OPTIONAL),
  decision.text('transcodeParams', ({ token }) => token, OPTIONAL),
  decision.scalars('transcodeReason', ({ reasons }) => reasons),
  decision.one('sourceStream', streamDetails('sourceStream'), ({ source }) => source),
  decision.one('transcodeStream', streamDetails('transcodeStream'), ({ output }) => output, OPTIONAL),
]);
