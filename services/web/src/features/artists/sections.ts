import type { Album } from '../../lib/api.js';

type SectionName = 'albums' | 'singles' | 'live' | 'compilations' | 'appearsOn';

/** Albums of an artist that belong together. */
export interface Section {
  readonly name: SectionName;
  readonly albums: readonly Album[];
}

const ORDER: readonly SectionName[] = ['albums', 'singles', 'live', 'compilations', 'appearsOn'];

/** Section by the type of the release, as its tags tell it; an album with several types is sorted by the most special of them. */
const sectionOf = (type: string | null): SectionName => {
  const types = (type ?? '').toLowerCase();
  if (/compilation/.test(types)) return 'compilations';
  if (/live/.test(types)) return 'live';
  return /single|\bep\b/.test(types) ? 'singles' : 'albums';
};

/** Sections of an artist's page, without empty ones. @param own albums of the artist @param all albums with a song of the artist */
export const sectionsOf = (own: readonly Album[], all: readonly Album[]): readonly Section[] => {
  const ownIds = new Set(own.map(({ id }) => id));
  const sorted = Map.groupBy(all, ({ id, type }) => (ownIds.has(id) ? sectionOf(type) : 'appearsOn'));
  return ORDER.flatMap((name) => {
    const albums = sorted.get(name);
    return albums ? [{ name, albums }] : [];
  });
};
