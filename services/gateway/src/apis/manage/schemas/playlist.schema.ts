import { z } from 'zod';
import type { ManagedMember } from '../../../reads/playlists/playlist-songs.reads.js';
import type { ManagedPlaylist } from '../../../reads/playlists/playlists.reads.js';
import type { PlaylistFileView } from '../../../reads/playlists/playlist-files.reads.js';
import { id } from './ids.js';
import { time, timeText } from './times.js';

const count = z.int().min(0);

/** Schema of a playlist. */
export const playlist = z
  .object({
    id,
    name: z.string(),
    comment: z.string(),
    ownerId: id.nullable().meta({ description: 'Null: a list of nobody' }),
    isPublic: z.boolean(),
    memberCount: count.meta({ description: 'Members, whether they are there at the moment or not' }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Playlist' });

/** A playlist as the API shows it. */
export const playlistView = (one: ManagedPlaylist): z.output<typeof playlist> => ({
  id: one.id,
  name: one.name,
  comment: one.comment,
  ownerId: one.ownerId,
  isPublic: one.isPublic,
  memberCount: one.memberCount,
  createdAt: timeText(one.createdAtMs),
  updatedAt: timeText(one.updatedAtMs),
});

const song = z
  .object({
    path: z.string().meta({ description: 'Absolute path of its file, or its address in other storage' }),
    title: z.string(),
    artist: z.string(),
    album: z.string(),
    trackNumber: z.int().nullable(),
    durationMs: z.int(),
    mbRecordingId: z.string().nullable(),
  })
  .meta({ id: 'PlaylistSong' });

/** Schema of a member of a playlist. */
export const playlistMember = z
  .object({
    kind: z.enum(['song', 'video', 'podcast_episode', 'live_stream']),
    objectId: id,
    song: song.nullable().meta({ description: 'Null for what is no song, and for a song that is gone' }),
  })
  .meta({ id: 'PlaylistMember' });

/** A member as the API shows it. */
export const memberView = ({ kind, objectId, song: known }: ManagedMember): z.output<typeof playlistMember> => {
  if (!known) return { kind, objectId, song: null };
  const { document: doc, root } = known;
  return {
    kind,
    objectId,
    song: {
      path: `${root}/${doc.path}`,
      title: doc.title,
      artist: doc.displayArtist ?? doc.artists.map(({ name }) => name).join(', '),
      album: doc.album.name,
      trackNumber: doc.track > 0 ? doc.track : null,
      durationMs: doc.durationMs,
      mbRecordingId: doc.mbid ?? null,
    },
  };
};

/** Schema of a playlist file of a catalog. */
export const playlistFile = z
  .object({
    catalogId: id,
    path: z.string().meta({ description: 'Relative to the folder of the catalog' }),
    outcome: z
      .enum(['imported', 'edited', 'deleted', 'nothing-found', 'unusable'])
      .meta({ description: 'Of its playlist: as the file says, changed by hand, deleted by hand, none of its songs is here, no playlist' }),
    playlistId: id.nullable(),
    entryCount: count,
    songCount: count,
    message: z.string().nullable(),
    unmatched: z
      .array(z.object({ number: z.int(), location: z.string(), says: z.string() }))
      .meta({ description: 'First entries without a song' }),
  })
  .meta({ id: 'PlaylistFile' });

/** A playlist file as the API shows it. */
export const playlistFileView = (file: PlaylistFileView): z.output<typeof playlistFile> => ({
  catalogId: file.catalog_id,
  path: file.path,
  outcome: file.outcome,
  playlistId: file.playlist_id,
  entryCount: file.entry_count,
  songCount: file.song_count,
  message: file.message,
  unmatched: file.unmatched.map(({ number, location, says }) => ({ number, location, says })),
});
