import {
  addPlaylistMembers,
  createPlaylist,
  foldName,
  MAX_PLAYLIST_NAME,
  playlistId,
  Rejection,
  replacePlaylistMembers,
  type UserId,
} from '@continuo/contracts';
import type { OperatorTools, HasOperations } from '../../features/operations/operations.js';
import type { HasReadModel } from '../../reads/database/database.js';
import { managedPlaylistById, managedPlaylistsAfter, type ManagedPlaylist } from '../../reads/playlists/playlists.reads.js';
import { runAndAwaitReadModel, runLongCommand } from '../../server/commands.js';
import type { HasCommands, HasConfig } from '../../server/needs.js';
import { operate } from './operate.js';
import type { OperationCall } from './operation.js';
import { badField } from './problems.js';
import { requireAccount } from './require-account.js';
import { playlistView } from './schemas/playlist.schema.js';
import type { newPlaylistImport, playlistImport } from './schemas/playlist-import.schema.js';
import type { z } from 'zod';

type Services = HasCommands & HasConfig & HasReadModel & HasOperations;
type Wanted = z.output<typeof newPlaylistImport>;
type Call = OperationCall<unknown, unknown, Wanted, Services>;
type Matched = Awaited<ReturnType<OperatorTools['library']['matchPlaylistFile']>>;
type Imported = z.output<typeof playlistImport>;

/** Songs of one command, far below what a message holds. */
const SONGS_PER_COMMAND = 50_000;
/** Time for a command about that many, ms. */
const TIMEOUT_MS = 60_000;
const MAX_COMMENT_CHARS = 2000;
const TWINS = 100;

/** The playlist of a number. @throws Rejection `playlist.not-found` */
export const playlistById = async ({ db }: HasReadModel, wanted: number): Promise<ManagedPlaylist> => {
  const found = await managedPlaylistById(db, wanted);
  if (!found) throw new Rejection('playlist.not-found');
  return found;
};

const addAll = async ({ services, request }: Call, id: number, songIds: readonly number[]): Promise<void> => {
  const order = { command: addPlaylistMembers, timeoutMs: TIMEOUT_MS };
  for (let at = 0; at < songIds.length; at += SONGS_PER_COMMAND)
    await runLongCommand(services, request, order, {
      playlistId: playlistId.parse(id),
      members: [{ objectIds: songIds.slice(at, at + SONGS_PER_COMMAND) }],
    });
};

const runOf = (songIds: readonly number[]) => (songIds.length === 0 ? [] : [{ objectIds: [...songIds] }]);

const nameOf = ({ name, fileName }: Wanted, { content }: Matched): string =>
  (name ?? content.title ?? fileName.replace(/(?<=.)\.[^.]*$/, '')).trim().slice(0, MAX_PLAYLIST_NAME) || 'Playlist';

/** A list of the owner with this name, in any case. */
const twinOf = async ({ db }: HasReadModel, ownerId: number | null, name: string): Promise<ManagedPlaylist | undefined> => {
  const named = await managedPlaylistsAfter(db, { after: { key: '', id: 0 }, name, limit: TWINS });
  return named.find((one) => one.ownerId === ownerId && foldName(one.name) === foldName(name));
};

type Result = Pick<Imported, 'outcome' | 'playlist'>;

const make = async (call: Call, file: Matched, ownerId: UserId | null): Promise<Result> => {
  const { services, request, body } = call;
  const name = nameOf(body, file);
  const twin = body.allowSameName ? undefined : await twinOf(services, ownerId, name);
  if (twin) return { outcome: 'exists', playlist: playlistView(twin) };
  const { songIds } = file.report;
  const first = songIds.slice(0, SONGS_PER_COMMAND);
  // Nobody but administrators could open a private list of nobody.
  const terms = {
    ownerId,
    name,
    isPublic: body.isPublic || ownerId === null,
    comment: file.content.comment?.slice(0, MAX_COMMENT_CHARS) ?? '',
  };
  const order = { command: createPlaylist, timeoutMs: TIMEOUT_MS };
  const made = await runAndAwaitReadModel(services, request, order, { ...terms, members: runOf(first) });
  await addAll(call, made.playlistId, songIds.slice(first.length));
  return { outcome: 'created', playlist: playlistView(await playlistById(services, made.playlistId)) };
};

const change = async (call: Call, { report }: Matched, list: ManagedPlaylist): Promise<Result> => {
  const { services, request, body } = call;
  if (body.mode === 'add') await addAll(call, list.id, report.songIds);
  else
    await runLongCommand(
      services,
      request,
      { command: replacePlaylistMembers, timeoutMs: TIMEOUT_MS },
      { playlistId: playlistId.parse(list.id), members: runOf(report.songIds), expectedRevision: list.revision },
    );
  return { outcome: body.mode === 'add' ? 'added' : 'replaced', playlist: playlistView(await playlistById(services, list.id)) };
};

const reportOf = ({ format, encoding, content, notices, report }: Matched): Omit<Imported, 'outcome' | 'playlist'> => ({
  format,
  encoding,
  entryCount: content.entries.length,
  songCount: report.songIds.length,
  methods: Object.entries(report.byWay).map(([method, count]) => ({ method: method as keyof typeof report.byWay, count })),
  notices: notices.map(({ line, message }) => ({ line, message })),
  unmatched: report.unmatched.map(({ number, entry, match }) => ({
    number,
    reason: match.reason,
    locations: [...entry.locations],
    title: entry.title ?? null,
    artist: entry.artist ?? null,
    album: entry.album ?? null,
    durationMs: entry.durationMs ?? null,
  })),
});

/** The list that the songs go into; undefined for a new one. @throws ManageProblem `input.invalid`, Rejection `playlist.not-found` */
const targetOf = async ({ services, body }: Call): Promise<ManagedPlaylist | undefined> => {
  const isIntoOne = body.mode === 'replace' || body.mode === 'add';
  if (isIntoOne !== (body.playlistId !== undefined)) throw badField('/playlistId', 'belongs to the modes replace and add');
  return body.playlistId === undefined ? undefined : playlistById(services, body.playlistId);
};

/**
 * Imports a playlist file.
 * @throws ManageProblem `input.invalid` for what is no playlist; Rejection `playlist.not-found`, `playlist.full`, `conflict` when the list changes meanwhile
 */
export const importPlaylist = async (call: Call): Promise<Imported> => {
  const { services, body } = call;
  const target = await targetOf(call);
  const ownerId = body.ownerId === null ? null : await requireAccount(services, body.ownerId, '/ownerId');
  const bytes = Buffer.from(body.content, 'base64');
  const file = await operate(services, ({ library }) => library.matchPlaylistFile(services.db, bytes, body));
  const result = async (): Promise<Result> => {
    if (body.mode === 'none') return { outcome: 'reported', playlist: null };
    if (file.report.songIds.length === 0 && file.content.entries.length > 0) return { outcome: 'nothing-found', playlist: null };
    return target ? change(call, file, target) : make(call, file, ownerId);
  };
  return { ...(await result()), ...reportOf(file) };
};
