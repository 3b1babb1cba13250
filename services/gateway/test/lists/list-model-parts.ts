import type { AnnotatedKind } from '@continuo/contracts';
import type { Viewer } from '../../src/reads/visibility/viewer.js';
import type { AlbumFact, LibraryFacts, SongFact } from '../library/random-facts.js';

/** A row of a list as the model sees it: what filters keep and what orders ask for. */
export interface ModelRow {
  readonly id: number;
  /** The names that text filters ask, and the folded form of the only one where there is one. */
  readonly names: readonly string[];
  readonly key?: string;
  readonly keep: Readonly<Record<string, (value: number, text: string) => boolean | undefined>>;
  readonly order: Readonly<Record<string, () => readonly (number | string)[]>>;
  /** Rows of rank 0 come before those of rank 1 in every order. */
  readonly rank?: number;
}

/** Sum of numbers. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
/** Rows with one of the ids. */
export const sharing = <T>(ids: readonly number[], rows: readonly (T & { readonly id: number })[]): T[] =>
  rows.filter(({ id }) => ids.includes(id));
/** Value of rows without one: less than any. */
export const LEAST = -1;

/** Whether a row passes each filter; undefined where the value restricts nothing. */
export type Keep = ModelRow['keep'];
/** Compared values of each order. */
export type Order = ModelRow['order'];

/** Returns filters and orders that all annotated kinds share. */
export const annotated = (facts: LibraryFacts, viewer: Viewer, kind: AnnotatedKind, id: number): { keep: Keep; order: Order } => {
  const own = facts.annotations.find((fact) => fact.user === viewer.userId && fact.kind === kind && fact.id === id);
  const rating = own?.rating ?? null;
  const flaggedAt = own?.flaggedAtMs ?? null;
  const byFlag = () => [flaggedAt ?? LEAST];
  return {
    keep: {
      user_flag: (value) => (value === 1) === (flaggedAt !== null),
      user_rating: (value) => (rating ?? 0) === value,
    },
    order: {
      rating: () => (rating === null ? [LEAST, LEAST] : [rating, own?.ratedAtMs ?? 0]),
      user_flag: byFlag,
      userflag: byFlag,
      user_flag_rating: () => [flaggedAt ?? LEAST, rating ?? LEAST],
    },
  };
};

/** Filters and orders by plays of songs. */
export const played = (facts: LibraryFacts, songs: readonly SongFact[]): { keep: Keep; order: Order } => {
  const plays = facts.plays.filter(({ song }) => songs.some(({ id }) => id === song));
  const count = sum(plays.map((fact) => fact.plays));
  return {
    keep: { unplayed: (value) => (value === 1 ? count === 0 : undefined) },
    order: {
      total_count: () => [count],
      last_played: () => [Math.max(LEAST, ...plays.map(({ lastPlayedAtMs }) => lastPlayedAtMs ?? LEAST))],
    },
  };
};

/** A filter by id where 0 restricts nothing. */
export const among = (ids: readonly (number | null)[]) => (value: number) => (value === 0 ? undefined : ids.includes(value));
/** A filter by id where 0 asks for rows without any. */
export const orNone = (ids: readonly number[]) => (value: number) => (value === 0 ? ids.length === 0 : ids.includes(value));
/** Filters by dates, in epoch seconds. */
export const dates = (added: number | undefined, updated: number | undefined): Keep => ({
  add_gt: (value) => (value === 0 ? undefined : added !== undefined && added >= value * 1000),
  add_lt: (value) => (value === 0 ? undefined : added !== undefined && added < (value + 1) * 1000),
  update_gt: (value) => (value === 0 ? undefined : updated !== undefined && updated >= value * 1000),
  update_lt: (value) => (value === 0 ? undefined : updated !== undefined && updated < (value + 1) * 1000),
});
/** A filter that keeps everything. */
export const yes = (): boolean => true;
/** Filters by catalogs. */
export const placed = (facts: LibraryFacts, catalogs: readonly number[]): Keep => ({
  catalog: among(catalogs),
  catalog_enabled: () => facts.catalogs.some(({ id, enabled }) => enabled && catalogs.includes(id)),
  user_catalog: yes,
});
/** Filters by genres. */
export const tagged = (genres: readonly number[]): Keep => ({
  genre: among(genres),
  tag: among(genres),
  no_genre: () => genres.length === 0,
  no_tag: () => genres.length === 0,
});
/** Lower case; empty for nothing. */
export const lower = (text: string | null): string => (text ?? '').toLowerCase();

/** Albums with songs. */
export const listedAlbums = ({ albums, songs }: LibraryFacts): AlbumFact[] =>
  albums.filter(({ id }) => songs.some(({ album }) => album === id));

/** Compares texts as Postgres' collation "C" does. */
export const compareTexts = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
