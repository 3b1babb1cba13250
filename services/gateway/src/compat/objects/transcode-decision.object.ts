import { objectTable } from '../../render/object-table.js';
import type { ClientDecision, StreamDetails } from '../../transcode/decision/decide-for-client.js';
import { fieldsOf } from './fields.js';

/** A decision with the token by which its stream can be asked for. */
export interface TokenedDecision extends ClientDecision {
  readonly token?: string;
}

const stream = fieldsOf<StreamDetails>();
const streamDetails = (name: string) =>
  objectTable<StreamDetails, undefined>(name, [
    stream.text('protocol', ({ protocol }) => protocol),
    stream.text('container', ({ container }) => container),
    stream.text('codec', ({ codec }) => codec),
    stream.num('audioChannels', ({ audioChannels }) => audioChannels),
    stream.num('audioBitrate', ({ audioBitrate }) => audioBitrate),
    stream.text('audioProfile', ({ audioProfile }) => audioProfile),
    stream.num('audioSamplerate', ({ audioSamplerate }) => audioSamplerate),
    stream.num('audioBitdepth', ({ audioBitdepth }) => audioBitdepth),
  ]);

const decision = fieldsOf<TokenedDecision>();

/** What a client is told of how it can hear something (schema type TranscodeDecision). */
export const transcodeDecision = objectTable<TokenedDecision, undefined>('transcodeDecision', [
  decision.bool('canDirectPlay', ({ canDirectPlay }) => canDirectPlay),
  decision.bool('canTranscode', ({ target }) => target !== undefined),
  decision.text('errorReason', ({ error }) => error),
  decision.text('transcodeParams', ({ token }) => token),
  decision.scalars('transcodeReason', ({ reasons }) => reasons),
  decision.one('sourceStream', streamDetails('sourceStream'), ({ source }) => source),
  decision.one('transcodeStream', streamDetails('transcodeStream'), ({ output }) => output),
]);
