import { videoFacts, type VideoView } from '../../../reads/library/videos.reads.js';
import type { StreamOutput } from '../decide-stream.js';
import { decideVideo } from './decide-video.js';

type Seen = Pick<VideoView, 'format' | 'widthPx' | 'heightPx' | 'bitrateBps' | 'durationMs' | 'doc' | 'streams'>;

/** Returns the output of a video's stream without parameters; undefined when the file itself is sent. */
export const videoConvertedPlainly = (view: Seen): StreamOutput | undefined => {
  if (view.streams?.limitKbps === undefined) return undefined;
  const decision = decideVideo(videoFacts(view), {}, view.streams);
  return decision.kind === 'direct' ? undefined : decision.output;
};
