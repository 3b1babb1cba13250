import { sortKey } from '@continuo/contracts';
import type { Viewer } from '../reads/viewer.js';
import { among, annotated, lower, sum, yes, type ModelRow } from './list-model-parts.js';
import type { LibraryFacts, PlaylistFact } from './random-facts.js';

const isListedFor = ({ owner, isPublic, collaborators }: PlaylistFact, user: number): boolean =>
  isPublic || owner === user || collaborators.includes(user);

const SYSTEM = -1;

/** The playlists that a viewer may find, as rows. */
export const playlistRows = (facts: LibraryFacts, viewer: Viewer): ModelRow[] =>
  facts.playlists
    .filter((list) => isListedFor(list, viewer.userId))
    .map((list) => {
      const name = () => [sortKey(list.name)];
      const songs = list.songs.flatMap((id) => facts.songs.filter((song) => song.id === id));
      const marks = annotated(facts, viewer, 'playlist', list.id);
      const owner = facts.users.find(({ id }) => id === list.owner);
      return {
        id: list.id,
        names: [list.name],
        key: sortKey(list.name),
        keep: {
          ...marks.keep,
          playlist_open: (value) => (value === 0 ? undefined : isListedFor(list, value)),
          playlist_type: (value) => (value === 1 ? undefined : list.owner === viewer.userId),
          playlist_user: among([list.owner ?? SYSTEM]),
          smartlist: () => false,
          hide_dupe_smartlist: yes,
        },
        order: {
          ...marks.order,
          name,
          title: name,
          date: () => [list.createdAtMs],
          last_update: () => [list.updatedAtMs],
          last_count: () => [songs.length],
          last_duration: () => [sum(songs.map(({ durationMs }) => durationMs))],
          type: () => [list.isPublic ? 'public' : 'private'],
          user: () => [list.owner ?? SYSTEM],
          username: () => [lower(owner?.username ?? null)],
        },
      };
    });
