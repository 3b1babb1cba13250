import { lyricsWithTimes } from '@continuo/contracts';
import { z } from 'zod';
import { lyricsFromPlugins } from '../../../../features/external-metadata/external-metadata.js';
import { lyricsOfSong } from '../../../../reads/songs/lyrics.reads.js';
import { songsByIds } from '../../../../reads/songs/songs.reads.js';
import { AS_CDATA, fieldNode, listNode, objectNode, type Node } from '../../../../render/index.js';
import { badValue } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { idOf, required } from '../../params.js';
import type { NativeResult } from '../../result.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasCommands, HasConfig, HasClock } from '../../../../server/needs.js';
import type { HasPlugins } from '../../../../features/external-metadata/plugin-directory.js';

type Services = HasCommands & HasReadModel & HasConfig & HasPlugins & HasClock;
const { method } = methodsUsing<Services>();

/** Source name of stored lyrics; plug-ins are listed beside it. */
const STORED = 'database';

/** Lyrics of a song, with times if known. */
const wordsOf = async (
  { services, viewer }: CallerCall<unknown, Services>,
  songId: number,
): Promise<{ readonly words: string | undefined; readonly isSeen: boolean }> => {
  const [song] = await songsByIds(services.db, [songId], viewer);
  if (!song) return { words: undefined, isSeen: false };
  return { words: lyricsWithTimes(await lyricsOfSong(services.db, songId)) ?? song.doc.lyrics, isSeen: true };
};

const lyrics = async (call: CallerCall<{ filter: string; plugins: boolean }, Services>): Promise<NativeResult> => {
  const { filter, plugins } = call.params;
  const id = idOf(filter);
  if (id === undefined) throw badValue('filter', filter, 'must be the id of a song');
  const { words, isSeen } = await wordsOf(call, id);
  const asked = isSeen && plugins ? await lyricsFromPlugins({ services: call.services, context: call.request }, id) : [];
  const found = [
    ...(words === undefined || words === '' ? [] : [{ source: STORED, words }]),
    ...asked.flatMap(({ plugin, texts }) => {
      const text = lyricsWithTimes(texts);
      return text === undefined ? [] : [{ source: plugin, words: text }];
    }),
  ];
  // An empty result is an empty list in JSON and an empty element in XML.
  const nothing: Node = call.format === 'json' ? listNode([]) : null;
  const sources: Node =
    found.length === 0
      ? nothing
      : objectNode(found.map(({ source, words: text }) => fieldNode(source, objectNode([fieldNode('text', text, AS_CDATA)]))));
  // A number in version 6.
  const objectId = fieldNode('object_id', call.policy.version < 8 ? id : String(id), AS_CDATA);
  const fields = [objectId, fieldNode('object_type', 'song', AS_CDATA), fieldNode('plugin', sources)];
  return { kind: 'fields', build: () => objectNode(fields) };
};

/** True unless switched off. */
const asksPlugins = z
  .string()
  .optional()
  .transform((text) => !['0', 'false', 'no', 'off'].includes((text ?? '1').trim().toLowerCase()));

/** Method about lyrics. */
export const lyricsMethods = {
  get_lyrics: method({ versions: [6, 8], access: 5, params: z.object({ filter: required, plugins: asksPlugins }), run: lyrics }),
};
