import type { LyricsText } from '@continuo/contracts';
import { z } from 'zod';
import { lyricsFromPlugins } from '../../facts/artist-facts.js';
import { lyricsOfSong } from '../../reads/lyrics.reads.js';
import { songsByIds } from '../../reads/songs.reads.js';
import { AS_CDATA, fieldNode, listNode, objectNode, type Node } from '../../render/index.js';
import { badValue } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { idOf, required } from '../params.js';
import type { NativeResult } from '../result.js';

/** Where lyrics come from that the library itself holds. Plug-ins stand beside it under their names. */
const STORED = 'database';

/** The words of a song: those without times first, since times are not shown here. */
const wordsOf = async (
  { services, viewer }: CallerCall<unknown>,
  songId: number,
): Promise<{ readonly words: string | undefined; readonly isSeen: boolean }> => {
  const [song] = await songsByIds(services.db, [songId], viewer);
  if (!song) return { words: undefined, isSeen: false };
  const texts = await lyricsOfSong(services.db, songId);
  const text = texts.find(({ synced }) => !synced) ?? texts[0];
  return { words: text ? spoken(text) : song.doc.lyrics, isSeen: true };
};

const spoken = (text: LyricsText): string => text.lines.map((line) => line.text).join('\n');

const lyrics = async (call: CallerCall<{ filter: string; plugins: boolean }>): Promise<NativeResult> => {
  const { filter, plugins } = call.params;
  const id = idOf(filter);
  if (id === undefined) throw badValue('filter', filter);
  const { words, isSeen } = await wordsOf(call, id);
  const asked = isSeen && plugins ? await lyricsFromPlugins({ services: call.services, context: call.request }, id) : [];
  const found = [
    ...(words === undefined || words === '' ? [] : [{ source: STORED, words }]),
    ...asked.flatMap(({ plugin, texts: [text] }) => (text ? [{ source: plugin, words: spoken(text) }] : [])),
  ];
  // Nothing found is an empty list in JSON, and an empty element in XML.
  const nothing: Node = call.format === 'json' ? listNode([]) : null;
  const sources: Node =
    found.length === 0 ? nothing : objectNode(found.map(({ source, words: text }) => fieldNode(source, text, AS_CDATA)));
  const fields = [fieldNode('object_id', String(id), AS_CDATA), fieldNode('object_type', 'song', AS_CDATA), fieldNode('plugin', sources)];
  return { kind: 'fields', build: () => objectNode(fields) };
};

/** On unless it is switched off. */
const asksPlugins = z
  .string()
  .optional()
  .transform((text) => !['0', 'false', 'no', 'off'].includes((text ?? '1').trim().toLowerCase()));

/** What songs say in words. */
export const lyricsMethods = {
  get_lyrics: method({ versions: [6, 8], access: 5, params: z.object({ filter: required, plugins: asksPlugins }), run: lyrics }),
};
