const ADDRESSES = {
  song: 'songs/{song_id}',
  album: 'albums/{album_id}',
  artist: 'artists/{artist_id}',
  playlist: 'playlists/{playlist_id}',
  podcast: 'podcasts/{podcast_id}',
  podcast_episode: 'podcast-episodes/{episode_id}',
  video: 'videos/{video_id}',
  user: 'users/{user_id}',
} as const;

/** Kinds of things that the API treats alike. */
export type ThingKind = keyof typeof ADDRESSES;

/** True for the name of such a kind. */
export const isThingKind = (kind: string): kind is ThingKind => Object.hasOwn(ADDRESSES, kind);

/** Address of a thing, or of something about it such as `/flag`, with its id as the parameter. The types of the client are those for a song. */
export const thing = <A extends string>(kind: ThingKind, id: string, about: A) => {
  const address = ADDRESSES[kind];
  const [, parameter = ''] = /\{(\w+)\}/.exec(address) ?? [];
  return [`/${address}${about}` as `/songs/{song_id}${A}`, { path: { [parameter]: id } as { readonly song_id: string } }] as const;
};
