import type { SongView } from '../../reads/songs/songs.reads.js';
import { decidePlain, type ConvertedStream, type StreamOutput } from './decide-stream.js';
import { soundFacts } from './sound-facts.js';
import { NO_RULES, sendsOriginals } from './stream-rules.js';

type Seen = Pick<SongView, 'doc' | 'streams'>;

/** True for a whole file that no stream rule of the listener converts: the usual case, of which nothing is remembered. */
const isOriginal = ({ doc, streams }: Seen): boolean => !doc.part && (streams === undefined || sendsOriginals(streams));

/** Objects ask several times for each song that is perhaps converted. */
const decided = new WeakMap<Seen, StreamOutput | null>();

const decide = ({ doc, streams }: Seen): StreamOutput | null => {
  const decision = decidePlain(soundFacts(doc), streams ?? NO_RULES);
  return decision.kind === 'direct' ? null : outputOf(decision);
};

const outputOf = ({ output }: ConvertedStream): StreamOutput => output;

/** Returns the output of a song's stream without parameters; undefined when the file itself is sent. */
export const convertedPlainly = (view: Seen): StreamOutput | undefined => {
  if (isOriginal(view)) return undefined;
  const known = decided.get(view);
  const output = known === undefined ? decide(view) : known;
  if (known === undefined) decided.set(view, output);
  return output ?? undefined;
};
