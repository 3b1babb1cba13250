import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, content } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { QueryState } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { decadesOf, type Decade } from '../decades.js';
import styles from './years-view.module.css';

const LAST_OF_DECADE = 9;

const yearsQuery = { queryKey: ['years'], queryFn: async () => (await content(api.GET('/years'))).year };

const DecadeSection = ({ decade: { first, albums, years } }: { readonly decade: Decade }): ReactNode => (
  <section className={styles['decade']}>
    <h2>
      <Link to="/albums" search={{ from: first, to: first + LAST_OF_DECADE, order: 'year,DESC' }}>
        {t.decade(first)}
      </Link>{' '}
      <span className={styles['dim']}>{t.albumCount(albums)}</span>
    </h2>
    <ul>
      {years.map(({ id, albums: ofYear }) => (
        <li key={id}>
          <Link to="/albums" search={{ from: Number(id), to: Number(id) }} aria-label={`${id}: ${t.albumCount(ofYear)}`}>
            {id} <span className={styles['dim']}>{ofYear}</span>
          </Link>
        </li>
      ))}
    </ul>
  </section>
);

/** Years of all albums, by decade. */
export const YearsView = (): ReactNode => {
  const query = useQuery(yearsQuery);
  return (
    <View title={t.years}>
      <QueryState of={query} emptyText={t.noYears} />
      {query.data && decadesOf(query.data).map((decade) => <DecadeSection key={decade.first} decade={decade} />)}
    </View>
  );
};
