import {
  catalogId,
  deleteSongFile,
  maintainPath,
  MAX_REREAD_SONGS,
  pathTask,
  readSongTags,
  Rejection,
  rereadSongs,
  songId,
  type PathTask,
} from '@continuo/contracts';
import { z } from 'zod';
import { runAndAwaitReadModel, runLongCommand } from '../../../../server/commands.js';
import { artFromPlugins } from '../../../../features/external-metadata/external-metadata.js';
import { albumArt, albumIdsByArtist, albumsByIds } from '../../../../reads/library/albums.reads.js';
import { artistArt, artistsByIds } from '../../../../reads/library/artists.reads.js';
import { songFile, songIdsByAlbum, songIdsByArtist } from '../../../../reads/songs/songs.reads.js';
import { AS_CDATA, fieldNode } from '../../../../render/index.js';
import { badValue, featureOff, NativeRefusal, notFound, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { foundById, type Named } from '../../named-object.js';
import { linkHolder, Links } from '../../objects/context.js';
import { songTagObject } from '../../objects/song-tag.object.js';
import { named, required, unlessOff } from '../../params.js';
import { objectResult, success, type NativeResult } from '../../result.js';
import { catalogOf } from '../library/catalog.methods.js';
import type { Reader } from '../lists/reading.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasCommands, HasConfig, HasClock } from '../../../../server/needs.js';
import type { HasPlugins } from '../../../../features/external-metadata/plugin-directory.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasCommands & HasConfig & HasReadModel & HasPlugins & HasPreferences & HasClock;
const { method, methodWithLookup } = methodsUsing<Services>();

/** Timeout for a folder, which may hold thousands of files, ms. */
const FOLDER_TIMEOUT_MS = 20 * 60_000;
const FILE_TIMEOUT_MS = 60_000;
const REREAD_TIMEOUT_MS = 5 * 60_000;
const TAGS_TIMEOUT_MS = 40_000;

/** Converts an error of the ingestion service to one about the named file, folder or object. */
const refusalOf = (error: unknown, parameter: string, value: string): unknown => {
  if (!(error instanceof Rejection)) return error;
  const failed = new NativeRefusal(4702, parameter === 'file' || parameter === 'folder' ? 'file' : 'system', error.message);
  const refusals: Readonly<Record<string, NativeRefusal>> = {
    'catalog.path-outside': badValue(parameter, value, `must lie in the catalog (${error.message})`),
    'input.invalid': badValue(parameter, value, `must be usable (${error.message})`),
    'media.not-found': notFound(parameter, value),
    'song.not-found': notFound(parameter, value),
    'media.failed': failed,
  };
  return refusals[error.code] ?? error;
};

const told = async <T>(work: Promise<T>, parameter: string, value: string): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw refusalOf(error, parameter, value);
  }
};

const requireDeletion = ({ services }: { readonly services: HasConfig }): void => {
  if (!services.config.DELETE_FROM_DISK) throw featureOff('delete_from_disk');
};

const tasksOf = (text: string): PathTask[] => {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const tasks = z.array(pathTask).min(1).max(16).safeParse(names);
  if (!tasks.success) throw badValue('task', text, oneOf(pathTask.options));
  return tasks.data;
};

type PathCall = CallerCall<{ filter: string; task: string; path: string }, Services>;

/** Maintains one file or folder, and waits for it. The answer says "started", as specified. */
const maintain = async (call: PathCall, kind: 'file' | 'folder'): Promise<NativeResult> => {
  const { filter, task, path } = call.params;
  const tasks = tasksOf(task);
  if (tasks.includes('remove')) requireDeletion(call);
  if (path.trim() === '') throw badValue(kind, path, 'must be a path');
  const catalog = await catalogOf(call, filter, 'catalog');
  const data = { catalogId: catalogId.parse(catalog.id), kind, path, tasks };
  const how = { command: maintainPath, timeoutMs: kind === 'file' ? FILE_TIMEOUT_MS : FOLDER_TIMEOUT_MS };
  const outcome = await told(runLongCommand(call.services, call.context, how, data), kind, path);
  const unusable = kind === 'file' && outcome.filesSkipped > 0 ? outcome.skipped[0] : undefined;
  if (unusable) throw new NativeRefusal(4702, 'file', unusable.message);
  return success(`successfully started: ${tasks.join(',')} for ${path}`);
};

/** Song ids of an object in a fixed order; undefined when the viewer sees no such object. */
type SongsOf = (reader: Reader, id: number) => Promise<readonly number[] | undefined>;

const songsOfAlbums = async ({ services, viewer }: Reader, ids: readonly number[]): Promise<number[]> =>
  [...(await songIdsByAlbum(services.db, ids, viewer)).values()].flat();

const songsOf: Readonly<Record<'song' | 'album' | 'artist', SongsOf>> = {
  song: async ({ services, viewer }, id) => ((await songFile(services.db, id, viewer)) ? [id] : undefined),
  album: async (reader, id) => {
    const [album] = await albumsByIds(reader.services.db, [id], reader.viewer);
    return album && songsOfAlbums(reader, [id]);
  },
  artist: async (reader, id) => {
    const { services, viewer } = reader;
    const [artist] = await artistsByIds(services.db, [id], viewer);
    if (!artist) return undefined;
    const own = (await songIdsByArtist(services.db, [id], viewer)).get(id) ?? [];
    const albums = (await albumIdsByArtist(services.db, [id], viewer)).get(id) ?? [];
    return [...new Set([...own, ...(await songsOfAlbums(reader, albums))])];
  },
};

/** Reads files of songs again in batches; returns how many were read and the first error. */
const rereadFiles = async (
  { services, context }: CallerCall<unknown, Services>,
  songIds: readonly number[],
): Promise<{ filesRead: number; message: string | undefined }> => {
  let filesRead = 0;
  let message: string | undefined;
  for (let at = 0; at < songIds.length; at += MAX_REREAD_SONGS) {
    const batch = songIds.slice(at, at + MAX_REREAD_SONGS).map((id) => songId.parse(id));
    const outcome = await runAndAwaitReadModel(
      services,
      context,
      { command: rereadSongs, timeoutMs: REREAD_TIMEOUT_MS },
      { songIds: batch },
    );
    filesRead += outcome.filesRead;
    if (outcome.filesSkipped > 0) message ??= outcome.skipped[0]?.message;
  }
  return { filesRead, message };
};

const typed = z.object({ ...named, type: required });
const pictured = typed.extend({ overwrite: unlessOff });
type TypedCall = CallerCall<z.output<typeof typed>, Services>;

/** Songs of the object of a call. @throws NativeRefusal 4704 of type `filter` */
const songsNamed = async (call: TypedCall, type: keyof typeof songsOf): Promise<{ id: number; songIds: readonly number[] }> => {
  const { filter } = call.params;
  return foundById(filter, async (id) => {
    const songIds = await songsOf[type](call, id);
    return songIds && { id, songIds };
  });
};

const rereadType = z.enum(['song', 'album', 'artist']);

const updateTags = async (call: TypedCall): Promise<NativeResult> => {
  const type = rereadType.safeParse(call.params.type.toLowerCase());
  if (!type.success) throw badValue('type', call.params.type, oneOf(rereadType.options));
  const { id, songIds } = await songsNamed(call, type.data);
  const { filesRead, message } = await rereadFiles(call, songIds);
  if (filesRead === 0 && songIds.length > 0)
    throw message ? new NativeRefusal(4702, 'system', message) : notFound('filter', call.params.filter);
  return success(`Updated tags for: ${id} (${type.data})`);
};

const artOf = { album: albumArt, artist: artistArt } as const;

const picturedType = z.enum(['album', 'artist']);

const updateArt = async (call: CallerCall<z.output<typeof pictured>, Services>): Promise<NativeResult> => {
  const { filter, overwrite } = call.params;
  const type = picturedType.safeParse(call.params.type.toLowerCase());
  if (!type.success) throw badValue('type', call.params.type, oneOf(picturedType.options));
  const { services, viewer, context } = call;
  const { id, songIds } = await songsNamed(call, type.data);
  const art = () => artOf[type.data](services.db, id, viewer);
  if (overwrite || !(await art())) await rereadFiles(call, songIds);
  // Files without a picture, and artists, which use an album's cover, may have one from a plug-in.
  if (!(await art()) || (overwrite && type.data === 'artist')) await artFromPlugins(call, type.data, id);
  if (!(await art()))
    throw badValue('filter', filter, `must be ${type.data === 'album' ? 'an album' : 'an artist'} with art in its files or at a plug-in`);
  const links = new Links(context.baseUrl, linkHolder(context.caller));
  return {
    kind: 'success',
    message: `Gathered new art for: ${id} (${type.data})`,
    extra: [fieldNode('art', links.art(type.data, id), AS_CDATA)],
  };
};

/** Song of a call. @throws NativeRefusal 4704 of type `filter` */
const songNamed = async ({ services, viewer, params }: CallerCall<Named, Services>): Promise<number> =>
  (await foundById(params.filter, (id) => songFile(services.db, id, viewer))).id;

const songTags = async (call: CallerCall<Named, Services>): Promise<NativeResult> => {
  const id = await songNamed(call);
  const how = { command: readSongTags, timeoutMs: TAGS_TIMEOUT_MS };
  const tags = await told(runLongCommand(call.services, call.context, how, { songId: songId.parse(id) }), 'filter', call.params.filter);
  return objectResult(songTagObject, { ...tags, songId: id }, id);
};

const deleteSong = async (call: CallerCall<Named, Services>, id: number): Promise<NativeResult> => {
  const how = { command: deleteSongFile, timeoutMs: FILE_TIMEOUT_MS };
  await told(runLongCommand(call.services, call.context, how, { songId: songId.parse(id) }), 'filter', call.params.filter);
  return success(`song ${id} deleted`);
};

/** Older names `catalog` and `id`, which win over `filter`. */
const byCatalog = { filter: ['catalog', 'filter'] };
const byId = { filter: ['id', 'filter'] };

/** Methods that maintain files, tags and pictures. */
export const maintenanceMethods = {
  catalog_file: method({
    versions: [4, 5, 6, 8],
    access: 50,
    aliases: byCatalog,
    params: z.object({ ...named, file: required, task: required }),
    run: (call) => maintain({ ...call, params: { ...call.params, path: call.params.file } }, 'file'),
  }),
  catalog_folder: method({
    versions: [6, 8],
    access: 50,
    aliases: byCatalog,
    params: z.object({ ...named, folder: required, task: required }),
    run: (call) => maintain({ ...call, params: { ...call.params, path: call.params.folder } }, 'folder'),
  }),
  song_delete: methodWithLookup({
    versions: [5, 6, 8],
    access: 75,
    params: z.object(named),
    look: async (call) => {
      const id = await songNamed(call);
      requireDeletion(call);
      return id;
    },
    run: deleteSong,
  }),
  song_tags: method({ versions: [6, 8], access: 5, params: z.object(named), run: songTags }),
  update_from_tags: method({ versions: [4, 5, 6, 8], access: 5, aliases: byId, params: typed, run: updateTags }),
  update_art: method({ versions: [4, 5, 6, 8], access: 75, aliases: byId, params: pictured, run: updateArt }),
  /** Updates are installed by the operator, so there is never one to apply. */
  system_update: method({ versions: [5, 6, 8], access: 100, params: z.object({}), run: async () => success('No update available') }),
};
