/** Tag fields, by names independent of any format. */
export const factNames = [
  ...(['title', 'titlesort', 'artist', 'artistsort', 'artists', 'album', 'albumsort', 'albumartist', 'albumartistsort'] as const),
  ...(['genre', 'mood', 'date', 'originaldate', 'releasedate', 'track', 'disc', 'discsubtitle', 'compilation'] as const),
  ...(['composer', 'lyricist', 'conductor', 'remixer', 'arranger', 'producer', 'engineer', 'mixer', 'djmixer', 'performer'] as const),
  ...(['label', 'catalognumber', 'barcode', 'isrc', 'releasetype', 'releasestatus', 'releasecountry', 'version'] as const),
  ...([
    'bpm',
    'language',
    'comment',
    'lyrics',
    'license',
    'copyright',
    'key',
    'media',
    'grouping',
    'work',
    'movement',
    'explicit',
  ] as const),
  ...(['mb_recording', 'mb_track', 'mb_album', 'mb_artist', 'mb_albumartist', 'mb_group', 'mb_work'] as const),
  ...(['track_gain', 'track_peak', 'album_gain', 'album_peak', 'r128_track', 'r128_album', 'rating', 'custom'] as const),
] as const;
export type FactName = (typeof factNames)[number];

/** Values by name, in order. Of a performer each is `name|instrument`, of a custom tag `NAME|value`, of a movement `name|number|count`. */
export type Facts = { readonly [K in FactName]?: readonly string[] };
