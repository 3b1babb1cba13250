import { videoFacts, type VideoView } from '../../../reads/videos.reads.js';
import type { StreamOutput } from '../decide-stream.js';
import { decideVideo } from './decide-video.js';

type Seen = Pick<VideoView, 'format' | 'widthPx' | 'heightPx' | 'bitrateBps' | 'durationMs' | 'doc' | 'streams'>;

/** What the viewer of a video is sent in its place by a stream that asks for nothing; undefined where that is the file itself. */
export const videoConvertedPlainly = (view: Seen): StreamOutput | undefined => {
  if (view.streams?.limitKbps === undefined) return undefined;
  const decision = decideVideo(videoFacts(view), {}, view.streams);
  return decision.kind === 'direct' ? undefined : decision.output;
};
