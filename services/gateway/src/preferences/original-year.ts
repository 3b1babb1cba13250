import type { Viewer } from '../reads/viewer.js';
import type { Preferences } from './preferences.js';

interface Dated {
  readonly year: number | null;
  readonly originalYear: number | null;
}

/** Albums with the year that the viewer wants to see: that of the first release, where it is known, or that of this one. */
export const inWantedYear = async <T extends Dated>(
  { preferences }: { readonly preferences: Pick<Preferences, 'current'> },
  viewer: Pick<Viewer, 'userId'>,
  albums: readonly T[],
): Promise<readonly T[]> => {
  if (!(await preferences.current()).isOn(viewer.userId, 'use_original_year')) return albums;
  return albums.map((album) => (album.originalYear === null ? album : { ...album, year: album.originalYear }));
};
