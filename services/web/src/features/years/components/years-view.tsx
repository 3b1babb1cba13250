import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, content } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { Chips, QueryState, Section, View } from '../../../ui/view.js';
import { decadesOf, type Decade } from '../decades.js';

const LAST_OF_DECADE = 9;

const yearsQuery = { queryKey: ['years'], queryFn: async () => (await content(api.GET('/years'))).year };

const DecadeSection = ({ decade: { first, albums, years } }: { readonly decade: Decade }): ReactNode => (
  <Section
    title={
      <Link to="/albums" search={{ from: first, to: first + LAST_OF_DECADE, order: 'year,DESC' }}>
        {t.decade(first)}
      </Link>
    }
    tools={<small>{t.albumCount(albums)}</small>}
  >
    <Chips>
      {years.map(({ id, albums: ofYear }) => (
        <li key={id}>
          <Link to="/albums" search={{ from: Number(id), to: Number(id) }} aria-label={`${id}: ${t.albumCount(ofYear)}`}>
            {id} <small>{ofYear}</small>
          </Link>
        </li>
      ))}
    </Chips>
  </Section>
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
