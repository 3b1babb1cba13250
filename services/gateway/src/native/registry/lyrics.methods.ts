import { z } from 'zod';
import { lyricsOfSong } from '../../reads/lyrics.reads.js';
import { songsByIds } from '../../reads/songs.reads.js';
import { AS_CDATA, fieldNode, listNode, objectNode, type Node } from '../../render/index.js';
import { badValue } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { idOf, required } from '../params.js';
import type { NativeResult } from '../result.js';

/** Where lyrics come from that the library itself holds. Providers on the network would stand beside it. */
const STORED = 'database';

/** The words of a song: those without times first, since times are not shown here. Undefined when it has none, or may not be seen. */
const wordsOf = async ({ services, viewer }: CallerCall<unknown>, songId: number): Promise<string | undefined> => {
  const [song] = await songsByIds(services.db, [songId], viewer);
  if (!song) return undefined;
  const texts = await lyricsOfSong(services.db, songId);
  const text = texts.find(({ synced }) => !synced) ?? texts[0];
  return text ? text.lines.map((line) => line.text).join('\n') : song.doc.lyrics;
};

const lyrics = async (call: CallerCall<{ filter: string }>): Promise<NativeResult> => {
  const { filter } = call.params;
  const id = idOf(filter);
  if (id === undefined) throw badValue('filter', filter);
  const words = await wordsOf(call, id);
  // Nothing found is an empty list in JSON, and an empty element in XML.
  const nothing: Node = call.format === 'json' ? listNode([]) : null;
  const sources: Node = words === undefined || words === '' ? nothing : objectNode([fieldNode(STORED, words, AS_CDATA)]);
  const fields = [fieldNode('object_id', String(id), AS_CDATA), fieldNode('object_type', 'song', AS_CDATA), fieldNode('plugin', sources)];
  return { kind: 'fields', build: () => objectNode(fields) };
};

/** What songs say in words. */
export const lyricsMethods = {
  get_lyrics: method({ versions: [6, 8], access: 5, params: z.object({ filter: required }), run: lyrics }),
};
