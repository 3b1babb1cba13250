import { z } from 'zod';
import { defineCommand } from '../define.js';
import { catalogCredentials, catalogType } from '../catalog-address.js';
import { catalogId, folderId, songId } from '../ids.js';
import { artRef, scannedTrack, sidecarFile, skippedFile } from '../track.js';

/**
 * Adds a catalog. The path of a local one is resolved to its real form, the address of another place to the form in which it is kept; a catalog may not lie inside another.
 */
export const addCatalog = defineCommand(
  'library',
  'add-catalog',
  z.object({
    name: z.string().trim().min(1).max(255),
    path: z.string().min(1).max(4096),
    type: catalogType.default('local'),
    /** Region of S3 storage. */
    region: z.string().max(100).optional(),
    /** Credentials of other storage; kept sealed. Without them S3 storage is accessed with the settings of the server. */
    credentials: catalogCredentials.optional(),
    gatherTypes: z.enum(['music', 'video', 'podcast']).default('music'),
    renamePattern: z.string().nullable().default(null),
    sortPattern: z.string().nullable().default(null),
  }),
  z.object({ catalogId }),
);

/** Changes what is said of a catalog; what is not named stays. Refused as `catalog.not-found`. */
export const changeCatalog = defineCommand(
  'library',
  'change-catalog',
  z.object({
    catalogId,
    name: z.string().trim().min(1).max(255).optional(),
    enabled: z.boolean().optional(),
    renamePattern: z.string().max(1000).nullable().optional(),
    sortPattern: z.string().max(1000).nullable().optional(),
    /** Of a folder of the server: whether it is watched; null follows the setting. */
    watched: z.boolean().nullable().optional(),
    /** Cron expression by which it is scanned, empty for never; null follows the setting. @throws Rejection `input.invalid` */
    scanSchedule: z.string().trim().max(255).nullable().optional(),
    /** Of a catalog in other storage, as {@link addCatalog} has them. */
    region: z.string().max(100).optional(),
    credentials: catalogCredentials.optional(),
  }),
  z.object({}),
);

/**
 * Says that the files of a catalog lie in another folder now, or under another address of the same kind. Songs keep their ids and everything that is tied to them. Refused with `catalog.path-unusable`
 * when the folder is none, for an address that is not forced, or when the folder (unless forced) holds less than half of some known files that are looked for there; with `catalog.path-taken` or `catalog.not-found`.
 */
export const moveCatalog = defineCommand(
  'library',
  'move-catalog',
  z.object({ catalogId, path: z.string().min(1).max(4096), force: z.boolean().default(false) }),
  z.object({
    /** Absolute real path. */
    path: z.string(),
  }),
);

/** Removes a catalog and everything the library knows from it; no file is touched. */
export const removeCatalog = defineCommand('library', 'remove-catalog', z.object({ catalogId }), z.object({}));

/**
 * Records what a scan found in one media folder. A large folder comes as several commands, each a delta over what is known:
 * files that are not mentioned stay as they are. Sending the same twice changes nothing.
 */
export const recordFolder = defineCommand(
  'library',
  'record-folder',
  z.object({
    catalogId,
    path: z.string().max(8192),
    /** New or changed files. */
    tracks: z.array(scannedTrack),
    /** Former location of a new file of `tracks`, when the scan recognised it as moved. */
    moves: z
      .array(
        z.object({
          fileName: z.string(),
          songId,
          fromFolderId: folderId,
          fromFileName: z.string(),
        }),
      )
      .default([]),
    /** Names of known tracks or skipped files that are gone. */
    goneFiles: z.array(z.string()).default([]),
    skipped: z.array(skippedFile).default([]),
    /** The folder's companion files and picture, when they changed; complete, not a delta. */
    sidecars: z.object({ files: z.array(sidecarFile), art: artRef.nullable() }).optional(),
    /** True when the folder itself is gone: everything in it goes. */
    vanished: z.boolean().default(false),
  }),
  z.object({
    songsAdded: z.int(),
    songsChanged: z.int(),
    songsMoved: z.int(),
    songsRemoved: z.int(),
  }),
);
