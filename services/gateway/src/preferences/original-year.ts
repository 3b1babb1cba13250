import type { Viewer } from '../reads/visibility/viewer.js';
import type { PreferenceSnapshot } from './preference-snapshot.js';
import type { Preferences } from './preferences.js';

interface Dated {
  readonly year: number | null;
  readonly originalYear: number | null;
}

/** True for a viewer who prefers the year of an album's first release. */
export const wantsOriginalYear = (preferences: PreferenceSnapshot, { userId }: Pick<Viewer, 'userId'>): boolean =>
  preferences.isOn(userId, 'use_original_year');

/** Albums with the year that the viewer prefers: of the first release, if known, or of this one. */
export const inWantedYear = async <T extends Dated>(
  { preferences }: { readonly preferences: Pick<Preferences, 'current'> },
  viewer: Pick<Viewer, 'userId'>,
  albums: readonly T[],
): Promise<readonly T[]> => {
  if (!wantsOriginalYear(await preferences.current(), viewer)) return albums;
  return albums.map((album) => (album.originalYear === null ? album : { ...album, year: album.originalYear }));
};
