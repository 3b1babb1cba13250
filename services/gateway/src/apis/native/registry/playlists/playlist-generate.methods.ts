import { z } from 'zod';
import { generatedSongs, type GenerateMode } from '../../../../reads/songs/generated-songs.reads.js';
import type { IdList } from '../../../../reads/lists/id-list.js';
import type { Condition } from '../../../../reads/lists/list-query.js';
import { namesByIds } from '../../../../kinds/names.reads.js';
import { AS_ATTRIBUTE, fieldNode, objectNode, printXmlElement, renderedList } from '../../../../render/index.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { seenObject } from '../../named-object.js';
import { slimSongObject } from '../../objects/slim.object.js';
import { songObject } from '../../objects/song.object.js';
import { pageResult } from '../../paging.js';
import { flag, limit, offset, optional } from '../../params.js';
import { NATIVE_XML, type NativeResult } from '../../result.js';
import { songReader } from '../lists/reading.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasClock } from '../../../../server/needs.js';

type Services = HasReadModel & HasLists & HasClock & HasPreferences;
const { method } = methodsUsing<Services>();

const DAY_MS = 86_400_000;

const generateParams = z.object({
  filter: optional,
  album: optional,
  artist: optional,
  flag,
  format: optional,
  mode: optional,
  offset,
  limit,
});
type GenerateCall = CallerCall<z.output<typeof generateParams>, Services>;

const modes: readonly string[] = ['recent', 'forgotten', 'unplayed'] satisfies GenerateMode[];
const isMode = (text: string): text is GenerateMode => modes.includes(text);

/** Name for the condition `album` or `artist`: of the object with this id, else the text. */
const nameOf = async (call: GenerateCall, kind: 'album' | 'artist', text: string): Promise<string> =>
  (await seenObject(call, (db, ids, viewer) => namesByIds(db, kind, ids, viewer), text))?.name ?? text;

const narrowed = async (call: GenerateCall, kind: 'album' | 'artist'): Promise<Condition[]> => {
  const text = call.params[kind]?.trim() ?? '';
  return text === '' ? [] : [{ name: `${kind}_name`, value: await nameOf(call, kind, text) }];
};

const conditionsOf = async (call: GenerateCall): Promise<Condition[]> => {
  const { filter, flag: favourites } = call.params;
  return [
    ...(filter === undefined || filter === '' ? [] : [{ name: 'alpha_match', value: filter }]),
    ...(await narrowed(call, 'album')),
    ...(await narrowed(call, 'artist')),
    ...(favourites ? [{ name: 'user_flag', value: '1' }] : []),
  ];
};

/** Ids written at a time. */
const BATCH = 10_000;

function* batchesOf(ids: Int32Array, write: (id: number, place: number) => string): Generator<string> {
  for (let start = 0; start < ids.length; start += BATCH)
    yield* Array.from(ids.subarray(start, start + BATCH), (id, n) => write(id, start + n));
}

/** Ids only: a JSON array, of numbers before version 8; numbered elements in XML, bare text in version 4. */
const idsResult = ({ params, policy, format }: GenerateCall, list: IdList): NativeResult => {
  const ids = list.page(params.offset, params.limit);
  const isLong = ids.length > BATCH;
  if (format === 'json') {
    const spelled = policy.version >= 8 ? (id: number) => `"${id}"` : String;
    return { kind: 'fields', build: () => renderedList(batchesOf(ids, spelled), isLong) };
  }
  const place = { json: 'none', xml: policy.version === 4 ? 'text' : 'cdata-text' } as const;
  const element = (id: number, index: number): string =>
    printXmlElement('id', objectNode([fieldNode('index', index, AS_ATTRIBUTE), fieldNode('text', id, place)]), NATIVE_XML);
  return {
    kind: 'fields',
    build: () => objectNode(ids.length === 0 ? [] : [fieldNode('id', renderedList(batchesOf(ids, element), isLong))]),
  };
};

const generate = async (call: GenerateCall): Promise<NativeResult> => {
  const { params, services, viewer } = call;
  const mode = params.mode?.trim().toLowerCase() ?? '';
  const days = (await services.preferences.current()).numberOf(viewer.userId, 'stats_threshold');
  const list = await generatedSongs(
    services,
    {
      mode: isMode(mode) ? mode : 'random',
      where: await conditionsOf(call),
      sinceMs: services.now() - Math.max(days, 0) * DAY_MS,
      most: params.limit,
    },
    viewer,
  );
  const form = params.format?.trim().toLowerCase();
  if (form === 'id') return idsResult(call, list);
  // An index has names only in XML.
  const isSlim = form === 'index' && call.format === 'xml';
  return pageResult(call, list, { table: isSlim ? slimSongObject : songObject, read: songReader(call) });
};

/** Method that generates a random selection of songs. */
export const playlistGenerateMethods = {
  playlist_generate: method({ versions: [4, 5, 6, 8], access: 5, params: generateParams, run: generate }),
};
