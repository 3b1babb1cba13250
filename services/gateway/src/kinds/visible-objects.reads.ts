import type { AnnotatedKind } from '@continuo/contracts';
import { sql } from 'kysely';
import type { ReadDatabase } from '../reads/database/database.js';
import type { Viewer } from '../reads/visibility/viewer.js';
import { kinds } from './index.js';
import { isOneOf } from '../reads/database/id-condition.js';

/** A thing that can be rated or made a favourite. */
export interface AnnotatedObject {
  readonly kind: AnnotatedKind;
  readonly objectId: number;
}

/** A thing that people did something with: one that can be annotated, or an account. */
export interface SeenObject {
  readonly kind: AnnotatedKind | 'user';
  readonly objectId: number;
}

const idsThere = async (
  db: ReadDatabase,
  viewer: Viewer,
  kind: SeenObject['kind'],
  ids: readonly number[],
): Promise<ReadonlySet<number>> => {
  const { from, visible } = kinds[kind].source;
  const { rows } = await sql<{
    id: number;
  }>`select t.id from ${from} where ${isOneOf(sql<number>`t.id`, ids)} and ${visible(viewer)}`.execute(db);
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
        return [kind, await idsThere(db, viewer, kind, ids)] as const;
      }),
    ),
  );
  return ({ kind, objectId }) => there.get(kind)?.has(objectId) === true;
};

/** The first of the things that is not there for the viewer; undefined when all are. One statement per kind. */
export const firstAbsent = async (
  db: ReadDatabase,
  viewer: Viewer,
  objects: readonly AnnotatedObject[],
): Promise<AnnotatedObject | undefined> => {
  const isThere = await objectsThere(db, viewer, objects);
  return objects.find((object) => !isThere(object));
};
