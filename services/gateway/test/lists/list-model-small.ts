import { sortKey } from '@continuo/contracts';
import type { Viewer } from '../../src/reads/visibility/viewer.js';
import { type ModelRow, type Keep, type Order, annotated, among, yes, lower } from './list-model-parts.js';
import type { LibraryFacts } from '../library/random-facts.js';

/** A genre as a row; none when no song carries it and it is not hidden. */
export const genreRow = (facts: LibraryFacts, viewer: Viewer, { id, name, hidden }: LibraryFacts['genres'][number]): ModelRow[] => {
  const songs = facts.songs.filter(({ genres }) => genres.includes(id));
  if (songs.length === 0 && !hidden) return [];
  const albums = new Set(songs.map(({ album }) => album)).size;
  const artists = new Set(songs.flatMap((song) => song.artists)).size;
  const videos = facts.videos.filter(({ genres }) => genres.includes(id)).length;
  const counts: Record<string, number> = { song: songs.length, album: albums, artist: artists, video: videos };
  const marks = annotated(facts, viewer, 'genre', id);
  return [
    {
      id,
      names: [name],
      key: sortKey(name),
      keep: {
        ...marks.keep,
        genre: among([id]),
        tag: among([id]),
        hidden: (value) => hidden === (value === 1),
        object_type: (_value, text) => (text === '' ? undefined : (counts[text.toLowerCase()] ?? 0) > 0),
      },
      order: {
        ...marks.order,
        genre: () => [],
        tag: () => [],
        name: () => [sortKey(name)],
        title: () => [sortKey(name)],
        song: () => [songs.length],
        album: () => [albums],
        artist: () => [artists],
        video: () => [videos],
      },
    },
  ];
};

/** A label or licence as a row. */
export const named = (id: number, name: string, more: { keep: Keep; order: Order }): ModelRow => ({
  id,
  names: [name],
  key: sortKey(name),
  keep: more.keep,
  order: { name: () => [sortKey(name)], title: () => [sortKey(name)], ...more.order },
});

/** A catalog as a row. */
export const catalogRow = (facts: LibraryFacts, viewer: Viewer, catalog: LibraryFacts['catalogs'][number]): ModelRow => {
  const marks = annotated(facts, viewer, 'catalog', catalog.id);
  const scanned = () => [catalog.scannedAtMs ?? 0];
  return {
    id: catalog.id,
    names: [catalog.name],
    keep: {
      ...marks.keep,
      enabled: (value) => catalog.enabled === (value === 1),
      gather_type: (_value, text) => (text === '' ? undefined : catalog.gatherTypes === text.toLowerCase()),
      user: yes,
    },
    order: {
      ...marks.order,
      name: () => [lower(catalog.name)],
      title: () => [lower(catalog.name)],
      catalog_type: () => [catalog.type],
      enabled: () => [Number(catalog.enabled)],
      gather_types: () => [catalog.gatherTypes],
      last_add: scanned,
      last_clean: scanned,
      last_update: scanned,
      rename_pattern: () => [catalog.renamePattern ?? ''],
      sort_pattern: () => [catalog.sortPattern ?? ''],
    },
  };
};

/** The children of a folder as rows. */
export const folderRows = (facts: LibraryFacts, viewer: Viewer, parent: number): ModelRow[] => {
  const folders = facts.folders.filter((folder) => folder.present && (parent === -1 ? folder.parent === null : folder.parent === parent));
  const row = (kind: 'folder' | 'song' | 'video', id: number, [name, key]: readonly [string, string], more: Order): ModelRow => {
    const marks = annotated(facts, viewer, kind, id);
    return {
      id: kind === 'folder' ? -id : kind === 'video' ? id + 2 ** 30 : id,
      rank: kind === 'folder' ? 0 : 1,
      names: [name],
      keep: { ...marks.keep, int_id: among([id]) },
      order: { ...marks.order, name: () => [key], title: () => [key], object_type: () => [], type: () => [], int_id: () => [id], ...more },
    };
  };
  const items = (count: number): Order => ({ last_count: () => [count], object_count: () => [count] });
  return [
    ...folders.map(({ id, name, catalog }) => {
      const own = facts.catalogs.find((one) => one.id === catalog)?.name ?? '';
      const count = facts.songs.filter(({ folder }) => folder === id).length + facts.videos.filter((video) => video.catalog === id).length;
      const shown = parent === -1 ? ([own, lower(own)] as const) : ([name, sortKey(name)] as const);
      return row('folder', id, shown, { ...items(count), date: () => [0], last_update: () => [0], total_count: () => [0] });
    }),
    ...facts.songs
      .filter(({ folder }) => folder === parent)
      .map((song) =>
        row('song', song.id, [song.fileName, lower(song.fileName)], {
          ...items(0),
          date: () => [song.addedAtMs],
          last_update: () => [song.updatedAtMs],
          total_count: () => [facts.plays.find((fact) => fact.song === song.id)?.plays ?? 0],
        }),
      ),
    // Videos lie in the roots of their catalogs, whose numbers are the same.
    ...facts.videos
      .filter((video) => video.catalog === parent)
      .map((video) => {
        const name = `${video.id}.mp4`;
        const times = { date: () => [video.addedAtMs], last_update: () => [video.updatedAtMs] };
        return row('video', video.id, [name, name], { ...items(0), ...times, total_count: () => [0] });
      }),
  ];
};

/** Somebody who follows somebody, as a row: once for each account that they follow. */
export const followerRows = ({ follows, users }: LibraryFacts): ModelRow[] =>
  follows.flatMap(({ follower, followed, followedAtMs }) =>
    users
      .filter(({ id, disabled }) => id === follower && !disabled)
      .map(({ id, username, createdAtMs }) => ({
        id,
        names: [],
        keep: { user: (value) => value === followed, follow_user: among([id]) },
        order: {
          create_date: () => [createdAtMs],
          follow_date: () => [followedAtMs],
          follow_user: () => [],
          user: () => [followed],
          username: () => [lower(username)],
        },
      })),
  );

/** An account as a row. */
export const userRow = (viewer: Viewer, user: LibraryFacts['users'][number]): ModelRow => {
  const open = viewer.isAdministrator === true || viewer.userId === user.id;
  const fullName = open || user.fullNamePublic ? (user.fullName ?? '') : '';
  const email = open ? (user.email ?? '') : '';
  const holds = (text: string) => (_value: number, value: string) => (value === '' ? undefined : lower(text).includes(lower(value)));
  return {
    id: user.id,
    names: [user.username, fullName, email],
    keep: {
      name: (_value, value) =>
        value === '' ? undefined : [user.username, fullName, email].some((text) => lower(text).includes(lower(value))),
      username: holds(user.username),
      fullname: holds(fullName),
      email: holds(email),
      access: among([user.access]),
      disabled: (value) => user.disabled === (value === 1),
    },
    order: {
      username: () => [lower(user.username)],
      access: () => [user.access],
      create_date: () => [user.createdAtMs],
      disabled: () => [Number(user.disabled)],
      email: () => [lower(email)],
      fullname: () => [lower(fullName)],
      fullname_public: () => [Number(user.fullNamePublic)],
      city: () => [lower(user.city)],
      state: () => [''],
      website: () => [''],
    },
  };
};
