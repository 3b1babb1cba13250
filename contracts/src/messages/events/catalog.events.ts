import { z } from 'zod';
import { catalogConnection, catalogType } from '../catalog-address.js';
import { defineEvent, type EventOf } from '../define.js';
import { catalogId } from '../ids.js';

/** A catalog was added: a root folder, or other storage, whose media the library shows. */
export const catalogAdded = defineEvent(
  'CatalogAdded',
  z.object({
    catalogId,
    name: z.string(),
    type: catalogType,
    gatherTypes: z.enum(['music', 'video', 'podcast']),
    /** Absolute real path of the root folder, or the address of other storage. */
    path: z.string(),
    renamePattern: z.string().nullable(),
    sortPattern: z.string().nullable(),
    /** Connection to other storage; absent for a folder. Secrets in it are sealed. */
    connection: catalogConnection.optional(),
  }),
  { v: 2, upcasters: { 1: (data: object) => data } },
);

/** Terms of a catalog changed; absent ones stay. */
export const catalogChanged = defineEvent(
  'CatalogChanged',
  z.object({
    catalogId,
    name: z.string().optional(),
    /** Only catalogs that are enabled are scanned by the clock and the watch, and take uploads. */
    enabled: z.boolean().optional(),
    renamePattern: z.string().nullable().optional(),
    sortPattern: z.string().nullable().optional(),
    /** Whether its folder is watched; null: as the setting says, which holds until it is named. */
    watched: z.boolean().nullable().optional(),
    /** Cron expression by which it is scanned, empty for never; null: as the setting says, which holds until it is named. */
    scanSchedule: z.string().nullable().optional(),
    /** New connection to other storage; secrets in it are sealed. */
    connection: catalogConnection.optional(),
  }),
);

/** The files of a catalog lie in another folder now; they are the same files, and keep their ids. */
export const catalogMoved = defineEvent('CatalogMoved', z.object({ catalogId, fromPath: z.string(), path: z.string() }));

/** A catalog was removed with everything that was in it; the files themselves stay. */
export const catalogRemoved = defineEvent('CatalogRemoved', z.object({ catalogId, path: z.string() }));

/** A root folder is held by one catalog. */
export const catalogPathReserved = defineEvent('CatalogPathReserved', z.object({ catalogId, path: z.string() }));

/** A root folder is free again. */
export const catalogPathReleased = defineEvent('CatalogPathReleased', z.object({ catalogId, path: z.string() }));

export type CatalogEvent = EventOf<typeof catalogAdded | typeof catalogChanged | typeof catalogMoved | typeof catalogRemoved>;
