import { readSongTags, Rejection, songId, writeSongTags, writtenTags, type SongId } from '@continuo/contracts';
import { z } from 'zod';
import { recordPerformed } from '../../../features/operations/record-operation.js';
import { firstAbsent } from '../../../kinds/visible-objects.reads.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import type { Viewer } from '../../../reads/visibility/viewer.js';
import { runLongCommand } from '../../../server/commands.js';
import type { HasCommands, HasConfig } from '../../../server/needs.js';
import { operationsUsing, type OperationCall } from '../operation.js';
import { idPath } from '../schemas/ids.js';
import { filesOutcome } from './scans.operations.js';

type Services = HasCommands & HasConfig & HasReadModel;
const { operation } = operationsUsing<Services>();

/** Decoding a long file twice takes a while, ms. */
const WRITTEN_WITHIN_MS = 20 * 60_000;

const tags = z
  .strictObject(writtenTags.shape)
  .meta({ id: 'SongTags', description: 'Tags that change; an empty text or list, or 0, takes a tag away' });

const fileTags = z
  .object({
    title: z.string(),
    artists: z.array(z.string()),
    albumArtists: z.array(z.string()),
    album: z.string(),
    composers: z.array(z.string()),
    genres: z.array(z.string()),
    moods: z.array(z.string()),
  })
  .meta({ id: 'FileTags', description: 'Names in the tags of a file; an empty text or list is none' });

/** Reading the head of a file on a slow share, ms. */
const READ_WITHIN_MS = 30_000;

/** @throws Rejection `song.not-found` */
const seenSong = async ({ db }: HasReadModel, viewer: Viewer, wanted: number): Promise<SongId> => {
  if (await firstAbsent(db, viewer, [{ kind: 'song', objectId: wanted }])) throw new Rejection('song.not-found');
  return songId.parse(wanted);
};

const read = async ({ services, request, viewer, params }: OperationCall<{ id: number }, unknown, unknown, Services>) => {
  const order = { command: readSongTags, timeoutMs: READ_WITHIN_MS };
  const { track } = await runLongCommand(services, request, order, { songId: await seenSong(services, viewer, params.id) });
  const { title, composers, genres, moods } = track;
  const named = (credits: readonly { readonly name: string }[]): string[] => credits.map(({ name }) => name);
  const [artists, albumArtists] = [named(track.artists), named(track.albumArtists)];
  return { title, artists, albumArtists, album: track.album.name, composers, genres, moods };
};

const write = async ({
  services,
  request,
  viewer,
  params,
  body,
}: OperationCall<{ id: number }, unknown, z.output<typeof tags>, Services>) => {
  const song = await seenSong(services, viewer, params.id);
  await recordPerformed(services, request, 'writeSongTags', params.id);
  const order = { command: writeSongTags, timeoutMs: WRITTEN_WITHIN_MS };
  return runLongCommand(services, request, order, { songId: song, tags: body });
};

/** Operations on single songs. */
export const songOperations = {
  getSongTags: operation({
    method: 'GET',
    path: '/songs/{id}/tags',
    family: 'songs',
    access: 'read',
    summary: 'Reads the names in the tags of a song’s file, as they are now',
    params: idPath,
    answer: fileTags,
    errors: ['song.not-found', 'media.not-found', 'media.failed'],
    run: read,
  }),
  writeSongTags: operation({
    method: 'POST',
    path: '/songs/{id}/tag-writes',
    family: 'songs',
    access: 'write',
    summary: 'Writes tags into the file of a song, and reads the file again',
    description: 'Its sound is compared before and after. For this `WRITE_TAGS` has to be on.',
    params: idPath,
    body: tags,
    answer: filesOutcome,
    tagged: false,
    errors: ['song.not-found', 'media.not-found', 'media.failed', 'feature.disabled'],
    run: write,
  }),
};
