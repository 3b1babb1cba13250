import { z } from 'zod';
import { defineCommand } from '../define.js';
import { catalogId, songId } from '../ids.js';
import { scannedTrack, skipReason } from '../track.js';

/** Most songs of one {@link rereadSongs}. */
export const MAX_REREAD_SONGS = 250;

/** Task on a file or a folder: add what is new, remove what is gone, read again, delete from the disk. */
export const pathTask = z.enum(['add', 'clean', 'verify', 'remove']);
export type PathTask = z.infer<typeof pathTask>;

const outcome = {
  /** Files that were read to their end. */
  filesRead: z.int().nonnegative(),
  songsAdded: z.int().nonnegative(),
  songsChanged: z.int().nonnegative(),
  songsMoved: z.int().nonnegative(),
  songsRemoved: z.int().nonnegative(),
  filesSkipped: z.int().nonnegative(),
  /** The first files that could not be used. */
  skipped: z.array(z.object({ path: z.string(), reason: skipReason, message: z.string() })).max(100),
} as const;

/**
 * Maintains one file or one folder with everything below it, at once: the tasks in their order. The path is absolute or relative to the catalog's root, and must
 * really lie in it. Refused with `catalog.path-outside`, `media.not-found` (nothing there, and `clean` is not asked for), `media.failed` (a file that cannot be
 * deleted; nothing is recorded then) and `feature.disabled` for `remove` where deletion is off.
 */
export const maintainPath = defineCommand(
  'ingest',
  'maintain-path',
  z.object({
    catalogId,
    kind: z.enum(['file', 'folder']),
    path: z.string().min(1).max(16_384),
    tasks: z.array(pathTask).min(1).max(16),
  }),
  z.object(outcome),
);

/** Reads the files of some songs again, whatever their size and time say. Songs that are not there are left out; ids stay. */
export const rereadSongs = defineCommand(
  'ingest',
  'reread-songs',
  z.object({ songIds: z.array(songId).min(1).max(MAX_REREAD_SONGS) }),
  z.object(outcome),
);

/** Reads the tags of a song's file; nothing is recorded. `file` is its absolute path. */
export const readSongTags = defineCommand(
  'ingest',
  'read-song-tags',
  z.object({ songId }),
  z.object({ file: z.string(), track: scannedTrack }),
);

/**
 * Deletes a song's file from the disk, then the song. A file that is gone already is fine; one that cannot be deleted is refused with `media.failed`, and the
 * song stays.
 */
export const deleteSongFile = defineCommand('ingest', 'delete-song-file', z.object({ songId }), z.object({}));

const writtenText = z.string().max(8000);
const writtenTexts = z.array(writtenText.min(1)).max(50);

/** Tags that can be written into a file. One that is absent stays as it is, an empty one is taken away. */
export const writtenTags = z
  .object({
    title: writtenText,
    artists: writtenTexts,
    albumArtists: writtenTexts,
    album: writtenText,
    genres: writtenTexts,
    moods: writtenTexts,
    composers: writtenTexts,
    date: z.union([z.literal(''), z.string().regex(/^\d{4}(?:-\d{2}(?:-\d{2})?)?$/)]),
    track: z.int().min(0).max(9999),
    disk: z.int().min(0).max(999),
    bpm: z.int().min(0).max(999),
    comment: writtenText,
    isrcs: writtenTexts,
  })
  .partial();
export type WrittenTags = z.infer<typeof writtenTags>;

/**
 * Writes tags into a song's file, and reads the file again. Refused with `feature.disabled` where that is off, with `media.failed` for a file that cannot be written, whose sound would change by
 * it, or that several songs share, and with `media.not-found`. A file that is refused stays as it was.
 */
export const writeSongTags = defineCommand('ingest', 'write-song-tags', z.object({ songId, tags: writtenTags }), z.object(outcome));
