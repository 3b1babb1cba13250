import { sortKey } from '@continuo/contracts';
import type { Viewer } from '../../src/reads/visibility/viewer.js';
import { among, annotated, lower, sum, yes, type ModelRow } from './list-model-parts.js';
import type { LibraryFacts, PlaylistFact, SmartlistFact } from '../library/random-facts.js';

type ListFact = Omit<PlaylistFact, 'songs'>;

const isListedFor = ({ owner, isPublic, collaborators }: ListFact, user: number): boolean =>
  isPublic || owner === user || collaborators.includes(user);

const SYSTEM = -1;

/** Returns the rows that playlists and smartlists share. */
const sharedParts = (facts: LibraryFacts, viewer: Viewer, kind: 'playlist' | 'search', list: ListFact) => {
  const name = () => [sortKey(list.name)];
  const marks = annotated(facts, viewer, kind, list.id);
  const owner = facts.users.find(({ id }) => id === list.owner);
  return {
    names: [list.name],
    key: sortKey(list.name),
    keep: {
      ...marks.keep,
      playlist_open: (value: number) => (value === 0 ? undefined : isListedFor(list, value)),
      playlist_type: (value: number) => (value === 1 ? undefined : list.owner === viewer.userId),
      playlist_user: among([list.owner ?? SYSTEM]),
    },
    order: {
      ...marks.order,
      name,
      title: name,
      date: () => [list.createdAtMs],
      last_update: () => [list.updatedAtMs],
      type: () => [list.isPublic ? 'public' : 'private'],
      user: () => [list.owner ?? SYSTEM],
      username: () => [lower(owner?.username ?? null)],
    },
  };
};

/** The playlists that a viewer may find, as rows. */
export const playlistRows = (facts: LibraryFacts, viewer: Viewer): ModelRow[] =>
  facts.playlists
    .filter((list) => isListedFor(list, viewer.userId))
    .map((list) => {
      const songs = list.songs.flatMap((id) => facts.songs.filter((song) => song.id === id));
      const shared = sharedParts(facts, viewer, 'playlist', list);
      return {
        ...shared,
        id: list.id,
        keep: { ...shared.keep, smartlist: () => false, hide_dupe_smartlist: yes },
        order: {
          ...shared.order,
          last_count: () => [songs.length],
          last_duration: () => [sum(songs.map(({ durationMs }) => durationMs))],
        },
      };
    });

const hasTwin = ({ name, owner }: SmartlistFact, facts: LibraryFacts): boolean =>
  facts.playlists.some((list) => lower(list.name) === lower(name) && list.owner === owner);

/** The smartlists that a viewer may find, as rows: under positive numbers alone, under negative ones among playlists. */
export const smartlistRows = (facts: LibraryFacts, viewer: Viewer, sign: 1 | -1): ModelRow[] =>
  facts.smartlists
    .filter((list) => isListedFor(list, viewer.userId))
    .map((list) => {
      const shared = sharedParts(facts, viewer, 'search', list);
      return {
        ...shared,
        id: sign * list.id,
        keep: { ...shared.keep, smartlist: yes, hide_dupe_smartlist: () => !hasTwin(list, facts) },
        order: {
          ...shared.order,
          last_count: () => [viewer.catalogs === 'all' ? list.lastCount : 0],
          limit: () => [list.limit],
          random: () => [list.isRandom ? 1 : 0],
        },
      };
    });
