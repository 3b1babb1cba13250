import { enhancedLrc, lyricsWithTimes, type LyricsText } from '@continuo/contracts';
import { z } from 'zod';
import { lyricsFromPlugins } from '../../../../features/external-metadata/external-metadata.js';
import { lyricsOfSong } from '../../../../reads/songs/lyrics.reads.js';
import { songsByIds } from '../../../../reads/songs/songs.reads.js';
import { AS_CDATA, fieldNode, listNode, objectNode, type Node } from '../../../../render/index.js';
import { badValue } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { flag, idOf, named, unlessOff } from '../../params.js';
import type { NativeResult } from '../../result.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasCommands, HasConfig, HasClock } from '../../../../server/needs.js';
import type { HasPlugins } from '../../../../features/external-metadata/plugin-directory.js';

type Services = HasCommands & HasReadModel & HasConfig & HasPlugins & HasClock;
const { method } = methodsUsing<Services>();

/** Source name of stored lyrics; plug-ins are listed beside it. */
const STORED = 'database';
/** Code of ISO 639 for a language that is not told. */
const UNKNOWN_LANGUAGE = 'xxx';

/** Texts of one source. */
interface Found {
  readonly source: string;
  readonly texts: readonly LyricsText[];
}

/** Texts of a song that are kept here; undefined for a song that the caller may not see. */
const storedTexts = async (
  { services, viewer }: CallerCall<unknown, Services>,
  songId: number,
): Promise<readonly LyricsText[] | undefined> => {
  const [song] = await songsByIds(services.db, [songId], viewer);
  if (!song) return undefined;
  const texts = await lyricsOfSong(services.db, songId);
  const { lyrics: plain = '' } = song.doc;
  if (texts.length > 0 || plain === '') return texts;
  return [{ language: UNKNOWN_LANGUAGE, synced: false, source: 'tag', lines: plain.split('\n').map((text) => ({ text })) }];
};

const textNodes = (found: readonly Found[]): readonly Node[] =>
  found.flatMap(({ source, texts }) =>
    texts.map((text) =>
      objectNode([
        fieldNode('source', source, AS_CDATA),
        fieldNode('language', text.language, AS_CDATA),
        fieldNode('text', enhancedLrc(text), AS_CDATA),
      ]),
    ),
  );

const lyricsParams = z.object({ ...named, plugins: unlessOff, texts: flag });

const lyrics = async (call: CallerCall<z.output<typeof lyricsParams>, Services>): Promise<NativeResult> => {
  const { filter, plugins, texts: listsTexts } = call.params;
  const id = idOf(filter);
  if (id === undefined) throw badValue('filter', filter, 'must be the id of a song');
  const stored = await storedTexts(call, id);
  const asked = stored && plugins ? await lyricsFromPlugins(call, id) : [];
  const all: readonly Found[] = [{ source: STORED, texts: stored ?? [] }, ...asked.map(({ plugin, texts }) => ({ source: plugin, texts }))];
  const found = all.flatMap(({ source, texts }) => {
    const words = lyricsWithTimes(texts);
    return words === undefined || (source === STORED && words === '') ? [] : [{ source, words }];
  });
  // An empty result is an empty list in JSON and an empty element in XML.
  const nothing: Node = call.format === 'json' ? listNode([]) : null;
  const sources: Node =
    found.length === 0
      ? nothing
      : objectNode(found.map(({ source, words: text }) => fieldNode(source, objectNode([fieldNode('text', text, AS_CDATA)]))));
  // A number in version 6.
  const objectId = fieldNode('object_id', call.policy.version < 8 ? id : String(id), AS_CDATA);
  const whole = listsTexts ? [fieldNode('lyrics', listNode(textNodes(all)))] : [];
  const fields = [objectId, fieldNode('object_type', 'song', AS_CDATA), fieldNode('plugin', sources), ...whole];
  return { kind: 'fields', build: () => objectNode(fields) };
};

/** Method about lyrics. */
export const lyricsMethods = {
  get_lyrics: method({ versions: [6, 8], access: 5, params: lyricsParams, run: lyrics }),
};
