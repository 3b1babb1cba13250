import type { SongView } from '../../reads/songs.reads.js';
import { decidePlain, type ConvertedStream, type StreamOutput } from './decide-stream.js';
import { soundFacts } from './sound-facts.js';
import { NO_RULES, sendsOriginals } from './stream-rules.js';

type Seen = Pick<SongView, 'doc' | 'streams'>;

/** Objects ask several times for each song. */
const decided = new WeakMap<Seen, StreamOutput | null>();

const decide = ({ doc, streams }: Seen): StreamOutput | null => {
  if (!doc.part && (streams === undefined || sendsOriginals(streams))) return null;
  const decision = decidePlain(soundFacts(doc), streams ?? NO_RULES);
  return decision.kind === 'direct' ? null : outputOf(decision);
};

const outputOf = ({ output }: ConvertedStream): StreamOutput => output;

/** What the viewer of a song is sent in its place by a stream that asks for nothing; undefined where that is the file itself. */
export const convertedPlainly = (view: Seen): StreamOutput | undefined => {
  if (view.streams === undefined && !view.doc.part) return undefined;
  const known = decided.get(view);
  const output = known === undefined ? decide(view) : known;
  if (known === undefined) decided.set(view, output);
  return output ?? undefined;
};
