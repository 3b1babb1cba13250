import type { AnnotatedKind } from '@continuo/contracts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isVisibleArtist } from './artist-visibility.js';
import type { ReadDatabase } from './database.js';
import { mayOpen } from './playlist-access.js';
import { inVisibleCatalogs, type Viewer } from './viewer.js';

/** A thing that can be rated or made a favourite. */
export interface AnnotatedObject {
  readonly kind: AnnotatedKind;
  readonly objectId: number;
}

interface Source {
  readonly table: RawBuilder<unknown>;
  /** Condition under which a row `t` of the table is there for a viewer. */
  readonly there: (viewer: Viewer) => RawBuilder<SqlBool>;
}

const inCatalog = (viewer: Viewer): RawBuilder<SqlBool> => inVisibleCatalogs(viewer, sql`t.catalog_id`);
const everybody = (): RawBuilder<SqlBool> => sql<SqlBool>`true`;

/** Where things of a kind are; kinds without a row have none yet. */
const sources: Partial<Record<AnnotatedKind, Source>> = {
  song: { table: sql`library.song`, there: inCatalog },
  album: { table: sql`library.album`, there: inCatalog },
  album_disk: { table: sql`library.album_disk`, there: inCatalog },
  artist: {
    table: sql`library.artist`,
    there: (viewer) => isVisibleArtist(viewer, sql`t.id`),
  },
  genre: { table: sql`library.genre`, there: everybody },
  label: { table: sql`library.label`, there: everybody },
  video: { table: sql`library.video`, there: inCatalog },
  podcast: { table: sql`library.podcast`, there: inCatalog },
  podcast_episode: { table: sql`library.podcast_episode`, there: inCatalog },
  live_stream: { table: sql`library.live_stream`, there: inCatalog },
  playlist: { table: sql`library.playlist`, there: (viewer) => mayOpen(viewer) },
  search: { table: sql`library.smartlist`, there: (viewer) => mayOpen(viewer) },
  collection: { table: sql`library.collection`, there: (viewer) => mayOpen(viewer) },
  catalog: { table: sql`library.catalog`, there: (viewer) => inVisibleCatalogs(viewer, sql`t.id`) },
  folder: { table: sql`library.folder`, there: (viewer) => sql<SqlBool>`t.present and ${inCatalog(viewer)}` },
};

/** The first of the things that is not there for the viewer; undefined when all are. One statement per kind. */
export const firstAbsent = async (
  db: ReadDatabase,
  viewer: Viewer,
  objects: readonly AnnotatedObject[],
): Promise<AnnotatedObject | undefined> => {
  const kinds = [...new Set(objects.map((object) => object.kind))];
  const there = new Map(
    await Promise.all(
      kinds.map(async (kind) => {
        const ids = objects.filter((object) => object.kind === kind).map((object) => object.objectId);
        return [kind, await idsThere(db, viewer, kind, ids)] as const;
      }),
    ),
  );
  return objects.find(({ kind, objectId }) => !there.get(kind)?.has(objectId));
};

const idsThere = async (db: ReadDatabase, viewer: Viewer, kind: AnnotatedKind, ids: readonly number[]): Promise<ReadonlySet<number>> => {
  const source = sources[kind];
  if (!source) return new Set();
  const { rows } = await sql<{ id: number }>`
    select t.id from ${source.table} t where t.id = any(${[...ids]}::int[]) and ${source.there(viewer)}`.execute(db);
  return new Set(rows.map((row) => row.id));
};

/** A thing that people did something with: one that can be annotated, or an account. */
export interface SeenObject {
  readonly kind: AnnotatedKind | 'user';
  readonly objectId: number;
}

const accountsThere = async (db: ReadDatabase, ids: readonly number[]): Promise<ReadonlySet<number>> => {
  const { rows } = await sql<{
    id: number;
  }>`select u.id from social."user" u where u.id = any(${[...ids]}::int[]) and not u.disabled`.execute(db);
  return new Set(rows.map((row) => row.id));
};

/** Tells which of some things are there for the viewer. One statement per kind. */
export const objectsThere = async (
  db: ReadDatabase,
  viewer: Viewer,
  objects: readonly SeenObject[],
): Promise<(object: SeenObject) => boolean> => {
  const byKind = Map.groupBy(objects, ({ kind }) => kind);
  const there = new Map(
    await Promise.all(
      [...byKind].map(async ([kind, some]) => {
        const ids = [...new Set(some.map(({ objectId }) => objectId))];
        return [kind, await (kind === 'user' ? accountsThere(db, ids) : idsThere(db, viewer, kind, ids))] as const;
      }),
    ),
  );
  return ({ kind, objectId }) => there.get(kind)?.has(objectId) === true;
};
