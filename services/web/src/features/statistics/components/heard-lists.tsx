import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { QueryState } from '../../../ui/states.js';
import { firstsQuery, heardMostQuery } from '../queries.js';
import styles from './statistics.module.css';

type Heard = Awaited<ReturnType<ReturnType<typeof firstsQuery>['queryFn']>>[number];

const DAY = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium' });

const Names = ({ heard: { song, album, artist } }: { readonly heard: Heard }): ReactNode => (
  <span>
    {song?.map(({ id, title, album: ofSong, artist: by }) => (
      <span key={id}>
        <Link to="/albums/$id" params={{ id: ofSong.id }}>
          {title}
        </Link>{' '}
        <span className={styles['dim']}>{by.name}</span>
      </span>
    ))}
    {album?.map(({ id, name }) => (
      <Link key={id} to="/albums/$id" params={{ id }}>
        {name}
      </Link>
    ))}
    {artist?.map(({ id, name }) => (
      <Link key={id} to="/artists/$id" params={{ id }}>
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
            <span className={styles['dim']}>{noteOf(heard)}</span>
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
      <HeardList title={t.artists} query={heardMostQuery('artist', year)} noteOf={plays} />
      <HeardList title={t.albums} query={heardMostQuery('album', year)} noteOf={plays} />
      <HeardList title={t.songs} query={heardMostQuery('song', year)} noteOf={plays} />
      <HeardList title={t.heardFirst} query={firstsQuery(year)} noteOf={({ first_play: at }) => DAY.format(new Date(at * 1000))} />
    </div>
  );
};
