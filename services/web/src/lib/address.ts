/** Views of which there is one for each thing. */
type ThingViews = 'albums' | 'artists' | 'collections' | 'folders' | 'genres' | 'labels' | 'playlists' | 'podcasts' | 'videos';

/** Address of the view of a thing, behind the `#`. */
export const viewOf = (views: ThingViews, id: string | number): string => `/${views}/${encodeURIComponent(id)}`;

/** Text of a parameter of an address, which the router may have read as a number; undefined for none. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;

/** Year in a parameter of an address; undefined for none. */
export const yearOf = (value: unknown): number | undefined => {
  const year = Number(value);
  return value !== undefined && value !== '' && Number.isInteger(year) ? year : undefined;
};
