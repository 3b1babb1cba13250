import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { viewOf } from '../../../lib/address.js';
import { t } from '../../../messages/index.js';
import { QueryState } from '../../../ui/view.js';
import { heardQuery } from '../queries.js';
import styles from './statistics.module.css';

type Heard = Awaited<ReturnType<ReturnType<typeof heardQuery>['queryFn']>>[number];

const DAY = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium' });

const Names = ({ heard: { song, album, artist } }: { readonly heard: Heard }): ReactNode => (
  <span>
    {song?.map(({ id, title, album: ofSong, artist: by }) => (
      <span key={id}>
        <Link to={viewOf('albums', ofSong.id)}>{title}</Link> <small>{by.name}</small>
      </span>
    ))}
    {album?.map(({ id, name }) => (
      <Link key={id} to={viewOf('albums', id)}>
        {name}
      </Link>
    ))}
    {artist?.map(({ id, name }) => (
      <Link key={id} to={viewOf('artists', id)}>
        {name}
      </Link>
    ))}
  </span>
);

const HeardList = ({
  title,
  query,
  noteOf,
}: {
  readonly title: string;
  readonly query: { readonly queryKey: readonly unknown[]; readonly queryFn: () => Promise<readonly Heard[]> };
  readonly noteOf: (heard: Heard) => string;
}): ReactNode => {
  const found = useQuery(query);
  return (
    <section>
      <h2>{title}</h2>
      <QueryState of={found} />
      <ol>
        {found.data?.map((heard, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- places in a ranking
          <li key={at}>
            <Names heard={heard} />
            <small>{noteOf(heard)}</small>
          </li>
        ))}
      </ol>
    </section>
  );
};

/** Most played artists, albums and songs of a year, and first plays. */
export const HeardLists = ({ year }: { readonly year: number }): ReactNode => {
  const plays = ({ plays: count }: Heard): string => t.playCount(count);
  return (
    <div className={styles['lists']}>
      <HeardList title={t.artists} query={heardQuery(year, { type: 'artist' })} noteOf={plays} />
      <HeardList title={t.albums} query={heardQuery(year, { type: 'album' })} noteOf={plays} />
      <HeardList title={t.songs} query={heardQuery(year, { type: 'song' })} noteOf={plays} />
      <HeardList
        title={t.heardFirst}
        query={heardQuery(year, { filter: 'first' })}
        noteOf={({ first_play: at }) => DAY.format(new Date(at * 1000))}
      />
    </div>
  );
};
