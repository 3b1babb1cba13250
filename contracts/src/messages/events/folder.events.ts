import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { catalogId, folderId, songId } from '../ids.js';
import { artRef, nameTables, recordedTrack, sidecarFile, skippedFile } from '../track.js';

/** A media folder was met for the first time. `path` is relative to the catalog's root with `/` between segments, empty for the root itself. */
export const folderDiscovered = defineEvent(
  'FolderDiscovered',
  z.object({
    folderId,
    catalogId,
    path: z.string(),
    parentId: folderId.nullable(),
    name: z.string(),
  }),
);

const tracks = {
  folderId,
  catalogId,
  path: z.string(),
  names: nameTables,
  tracks: z.array(recordedTrack),
};

/** Files that were not known anywhere appeared in the folder. */
export const tracksAdded = defineEvent('TracksAdded', z.object(tracks));

/** Known files of the folder have other content or tags than before; each keeps its song id. */
export const tracksChanged = defineEvent('TracksChanged', z.object(tracks));

/** Files that another folder held before appeared here; each keeps its song id. */
export const tracksMovedIn = defineEvent(
  'TracksMovedIn',
  z.object({ ...tracks, from: z.array(z.object({ songId, folderId, fileName: z.string() })) }),
);

/** Files of this folder turned up elsewhere under the same song ids. */
export const tracksMovedOut = defineEvent(
  'TracksMovedOut',
  z.object({
    folderId,
    catalogId,
    songs: z.array(z.object({ songId, fileName: z.string() })),
    toFolderId: folderId,
  }),
);

/** Files of this folder are gone. */
export const tracksRemoved = defineEvent(
  'TracksRemoved',
  z.object({ folderId, catalogId, songs: z.array(z.object({ songId, fileName: z.string() })) }),
);

/** Files were skipped, each with the reason. */
export const filesSkipped = defineEvent('FilesSkipped', z.object({ folderId, catalogId, files: z.array(skippedFile) }));

/** Files that had been left out are gone or have become readable. */
export const skippedFilesCleared = defineEvent('SkippedFilesCleared', z.object({ folderId, catalogId, fileNames: z.array(z.string()) }));

/** The folder's companion files (covers, lyrics) and the picture that stands for the folder are now these. */
export const folderSidecarsChanged = defineEvent(
  'FolderSidecarsChanged',
  z.object({ folderId, catalogId, files: z.array(sidecarFile), art: artRef.nullable() }),
);

/** The folder itself is gone from the disk. */
export const folderVanished = defineEvent('FolderVanished', z.object({ folderId, catalogId }));

/** All events of the folder aggregate, the unit in which a scan writes. */
export const folderEvents = [
  folderDiscovered,
  tracksAdded,
  tracksChanged,
  tracksMovedIn,
  tracksMovedOut,
  tracksRemoved,
  filesSkipped,
  skippedFilesCleared,
  folderSidecarsChanged,
  folderVanished,
] as const;
export type FolderEvent = EventOf<(typeof folderEvents)[number]>;
