import {
  changeSmartlist,
  createSmartlist,
  deleteSmartlist,
  given,
  Rejection,
  smartlistId,
  type SmartlistTerms,
  type UserId,
} from '@continuo/contracts';
import { runAndAwaitReadModel, runCommand } from '../../server/commands.js';
import type { CallerContext } from '../../server/requests/request-context.js';
import { requireRight } from '../playlist/playlists.js';
import { annotationsOf } from '../../reads/people/annotations.reads.js';
import { rightsOf, type ListRights } from '../../reads/visibility/playlist-access.js';
import { SYSTEM_OWNER, type PlaylistView } from '../../reads/playlists/playlists.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { compileSearch, rulesToStore, type Logic, type SearchRule } from '../../search/index.js';
import { smartlistRecord, smartlistRecords, type SmartlistRecord } from './smartlist.reads.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasSmartlists } from './running-smartlists.js';
import type { HasCommands, HasConfig } from '../../server/needs.js';

/*
 * Reads and edits smartlists for every surface.
 */

/** Viewer of smartlists and dependencies. */
export interface SmartlistReader {
  readonly services: HasReadModel & HasSmartlists;
  readonly viewer: Viewer;
}

/** Editor of smartlists and dependencies. */
export interface SmartlistEditor extends SmartlistReader {
  readonly services: HasReadModel & HasSmartlists & HasCommands & HasConfig;
  readonly context: CallerContext;
}

const ID = /^(?:smart_)?(\d{1,9})$/;

/** The number of the smartlist that a text names, with or without its prefix; undefined when it names none. */
export const smartlistIdOf = (text: string): number | undefined => {
  const id = Number(ID.exec(text.trim())?.[1] ?? 0);
  return id > 0 ? id : undefined;
};

/** The same for texts that name playlists where they have no prefix. */
export const prefixedSmartlistId = (text: string): number | undefined =>
  text.trim().startsWith('smart_') ? smartlistIdOf(text) : undefined;

/**
 * A smartlist with which the viewer may do something; undefined when there is none of that number, and for one that it may not open.
 * @throws Rejection `access.level` when the viewer may open it and no more
 */
export const smartlistWith = async (
  { services, viewer }: Pick<SmartlistReader, 'viewer'> & { readonly services: HasReadModel },
  id: number | undefined,
  right: keyof ListRights,
): Promise<SmartlistRecord | undefined> => {
  const record = id === undefined ? undefined : await smartlistRecord(services.db, id);
  if (!record || !rightsOf(viewer, record).open) return undefined;
  requireRight(viewer, record, right);
  return record;
};

/** Smartlists by id that the viewer may open, in the order of the ids, in the shape that they share with playlists. */
export const smartlistsByIds = async ({ services, viewer }: SmartlistReader, ids: ArrayLike<number>): Promise<PlaylistView[]> => {
  if (ids.length === 0) return [];
  const [records, annotationOf] = await Promise.all([
    smartlistRecords(services.db, ids, viewer),
    annotationsOf(services.db, viewer, 'search', ids),
  ]);
  const sums = await services.smartlists.sums(records, viewer);
  return records.map((record) => ({
    kind: 'search',
    id: record.id,
    name: record.name,
    ownerId: record.ownerId,
    isPublic: record.isPublic,
    collaboratorIds: record.collaboratorIds,
    createdAtMs: record.createdAtMs,
    updatedAtMs: record.updatedAtMs,
    owner: record.ownerId === null ? SYSTEM_OWNER : (record.username ?? ''),
    ...(sums.get(record.id) ?? { songCount: 0, durationMs: 0, artHash: null }),
    annotations: annotationOf(record.id),
  }));
};

/** The songs of some smartlists that the viewer may open; a list that cannot be run has none. */
export const songIdsBySmartlist = async (
  { services, viewer }: SmartlistReader,
  ids: readonly number[],
): Promise<(id: number) => Int32Array> => {
  if (ids.length === 0) return () => NO_SONGS;
  const songs = new Map<number, Int32Array>();
  for (const record of await smartlistRecords(services.db, ids, viewer)) songs.set(record.id, await songsOrNone(services, record, viewer));
  return (id) => songs.get(id) ?? NO_SONGS;
};

const NO_SONGS = new Int32Array(0);

/** Among other lists one that is too broad must not take the whole answer with it. */
const songsOrNone = async ({ smartlists }: SmartlistReader['services'], record: SmartlistRecord, viewer: Viewer): Promise<Int32Array> => {
  try {
    // Nobody pages through what stands inside a list of lists.
    return (await smartlists.songs(record, viewer, { isContinued: true })).ids;
  } catch (error) {
    if (error instanceof Rejection && error.code === 'input.invalid') return NO_SONGS;
    throw error;
  }
};

/** The picture of a smartlist: null when it has none, undefined when there is no such list for the viewer. */
export const smartlistArt = async (reader: SmartlistReader, id: number): Promise<string | null | undefined> => {
  const [view] = await smartlistsByIds(reader, [id]);
  return view && view.artHash;
};

/** Rules, order and limit of a smartlist. */
export interface SmartlistSearch {
  readonly rules: readonly SearchRule[];
  readonly logic: Logic;
  readonly isRandom: boolean;
  /** 0 = all. */
  readonly limit: number;
}

const ANYBODY = { userId: 1, catalogs: 'all' } as const;

/** Checks that rules can be run. @throws Rejection `input.invalid` */
export const requireRunnable = (rules: readonly SearchRule[], logic: Logic, nowMs: number): void => {
  compileSearch('song', rules, logic, { viewer: ANYBODY, nowMs });
};

/** Changes of a smartlist; absent fields stay. `ownerId` null: the system. */
export interface SmartlistChanges extends Partial<SmartlistSearch> {
  readonly name?: string | undefined;
  readonly isPublic?: boolean | undefined;
  readonly ownerId?: UserId | null | undefined;
  readonly collaboratorIds?: UserId[] | undefined;
}

/** Changes what is said; answers whether anything was not so already. */
export const editSmartlist = async ({ services, context }: SmartlistEditor, id: number, changes: SmartlistChanges): Promise<boolean> => {
  const terms: Partial<SmartlistTerms> = given({ ...changes, rules: changes.rules && rulesToStore(changes.rules) });
  if (Object.keys(terms).length === 0) return false;
  return (await runCommand(services, context, changeSmartlist, { smartlistId: smartlistId.parse(id), ...terms })).isChanged;
};

/** A search to be kept. */
export interface NewSmartlist extends SmartlistSearch {
  readonly name: string;
  readonly isPublic: boolean;
}

/** Keeps a search for the caller and answers its number. */
export const makeSmartlist = async ({ services, context }: SmartlistEditor, { rules, ...terms }: NewSmartlist): Promise<number> => {
  const made = await runAndAwaitReadModel(
    services,
    context,
    { command: createSmartlist },
    {
      ...terms,
      ownerId: context.caller.account.id,
      rules: rulesToStore(rules),
    },
  );
  return made.smartlistId;
};

/** Ends a list for good. */
export const endSmartlist = async ({ services, context }: SmartlistEditor, id: number): Promise<void> => {
  await runCommand(services, context, deleteSmartlist, { smartlistId: smartlistId.parse(id) });
};
