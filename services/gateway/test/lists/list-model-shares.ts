import { sortKey } from '@continuo/contracts';
import type { Viewer } from '../../src/reads/visibility/viewer.js';
import { among, listedAlbums, type ModelRow } from './list-model-parts.js';
import type { LibraryFacts, ShareFact } from '../library/random-facts.js';

const A_DAY_MS = 86_400_000;

/** The name of what is shared; undefined when the viewer, whose library the facts are, does not see it. */
const nameOf = (facts: LibraryFacts, { kind, object }: ShareFact): string | undefined => {
  if (kind === 'song') return facts.songs.find(({ id }) => id === object)?.title;
  if (kind === 'album') return facts.albums.find(({ id }) => id === object)?.name;
  const credited = [...facts.songs, ...listedAlbums(facts)].some(({ artists }) => artists.includes(object));
  return credited ? facts.artists.find(({ id }) => id === object)?.name : undefined;
};

/** The shares that a viewer may find, as rows. */
export const shareRows = (facts: LibraryFacts, viewer: Viewer): ModelRow[] =>
  facts.shares.flatMap((share) => {
    const name = nameOf(facts, share);
    if (name === undefined || !(viewer.isAdministrator || share.user === viewer.userId)) return [];
    const title = () => [sortKey(name)];
    return [
      {
        id: share.id,
        names: [name],
        key: sortKey(name),
        keep: {
          object_type: (_value: number, text: string) => (text === '' ? undefined : share.kind === text.toLowerCase()),
          user: among([share.user]),
        },
        order: {
          name: title,
          title,
          allow_download: () => [Number(share.download)],
          allow_stream: () => [1],
          counter: () => [share.visits],
          creation_date: () => [share.createdAtMs],
          expire: () => [share.expiresAtMs === null ? 0 : Math.ceil((share.expiresAtMs - share.createdAtMs) / A_DAY_MS)],
          lastvisit_date: () => [share.visits > 0 ? share.createdAtMs : 0],
          max_counter: () => [0],
          object: () => [share.object],
          object_type: () => [share.kind],
          user: () => [share.user],
        },
      },
    ];
  });
