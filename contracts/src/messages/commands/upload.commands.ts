import { z } from 'zod';
import { defineCommand } from '../define.js';
import { catalogId, songId } from '../ids.js';

/**
 * Folder at the root of a catalog in which uploads lie until they are taken in. Scans never look into hidden folders; it is on the same disk as the files
 * of the catalog, so that taking in is a matter of names.
 */
export const UPLOAD_FOLDER = '.continuo-uploads';

/** Name of a file in {@link UPLOAD_FOLDER}. */
export const stagedName = z.uuid();

/** Longest name of an uploaded file, UTF-16 code units. */
export const MAX_UPLOAD_NAME = 255;

/** Tags given by the uploader; they replace those of the file. */
export const uploadedTags = z.object({
  artist: z.string().min(1).max(400).optional(),
  albumArtist: z.string().min(1).max(400).optional(),
  album: z.string().min(1).max(400).optional(),
  license: z.string().min(1).max(400).optional(),
});
export type UploadedTags = z.infer<typeof uploadedTags>;

/**
 * Takes a file that lies in the upload folder of a catalog into the catalog: looks whether it is a media file that the catalog has not got yet, gives it its
 * place, and scans it. Safe to repeat. Refused with `upload.refused` (the message says why; the file is deleted then), `storage.full`, `catalog.not-found`,
 * `catalog.path-unusable`, or `media.not-found` when nothing of that name waits.
 */
export const takeInUpload = defineCommand(
  'ingest',
  'take-in-upload',
  z.object({
    catalogId,
    staged: stagedName,
    /** As the uploader calls it; what no file may be called is replaced. */
    fileName: z.string().min(1).max(MAX_UPLOAD_NAME),
    /** Folder of the uploader, below the root; null for none. */
    subfolder: z.string().min(1).max(255).nullable().default(null),
    tags: uploadedTags.default({}),
  }),
  z.object({
    /** The new song; null in a catalog of videos. */
    songId: songId.nullable(),
    /** Where it lies, relative to the root. */
    path: z.string(),
  }),
);

/** Songs of one {@link fileByPattern}. */
export const MAX_FILED_SONGS = 200;

/**
 * Gives some files of a local catalog of music the places that its patterns name, those of the next songs after a number. Songs keep their ids. Without `apply` only
 * says what would be done. No file takes the place of another. Refused as `catalog.not-found`, `catalog.path-unusable`, or `input.invalid` when the catalog has no patterns.
 */
export const fileByPattern = defineCommand(
  'ingest',
  'file-by-pattern',
  z.object({ catalogId, afterSongId: z.int().nonnegative().default(0), apply: z.boolean().default(false) }),
  z.object({
    /** Paths relative to the root. `refused` says why a file stays where it is, `leftBehind` why words that belong to a moved one do: by name of their file. */
    moves: z.array(
      z.object({
        songId,
        from: z.string(),
        to: z.string(),
        refused: z.string().optional(),
        leftBehind: z.array(z.object({ fileName: z.string(), why: z.string() })).optional(),
      }),
    ),
    /** Where the next call goes on; null at the end. */
    nextSongId: songId.nullable(),
  }),
);
