import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { Choice, FilterField, type Options } from '../../../ui/fields.js';
import { ToolRow, View } from '../../../ui/view.js';
import { genresQuery } from '../../genres/index.js';
import type { AlbumFilter, AlbumOrder } from '../filter.js';
import { isByYears } from '../queries.js';
import { AlbumGrid } from './album-grid.js';
import styles from './albums-view.module.css';

const ORDERS: Options<AlbumOrder> = [
  ['name', t.byName],
  ['artist', t.byArtist],
  ['year,DESC', t.byYear],
  ['year,ASC', t.byYearUp],
  ['addition_time,DESC', t.byAdded],
  ['total_count,DESC', t.byPlays],
  ['rating,DESC', t.byRating],
];

const YearField = ({
  label,
  value,
  onYear,
}: {
  readonly label: string;
  readonly value: number | undefined;
  readonly onYear: (year: number | undefined) => void;
}): ReactNode => (
  <input
    type="number"
    aria-label={label}
    placeholder={label}
    value={value ?? ''}
    onChange={({ target }) => onYear(target.value === '' ? undefined : Number(target.value))}
  />
);

const Filters = ({ filter, onChange }: { readonly filter: AlbumFilter; readonly onChange: (change: AlbumFilter) => void }): ReactNode => {
  const { data: genres } = useQuery(genresQuery);
  return (
    <ToolRow>
      <FilterField value={filter.name} onFilter={(name) => onChange({ name })} />
      <Choice
        label={t.genre}
        options={[['', t.allGenres], ...(genres?.items.map(({ id, name }) => [id, name] as const) ?? [])]}
        chosen={filter.genre ?? ''}
        onChoose={(genre) => onChange({ genre: genre || undefined })}
      />
      <span className={styles['years']}>
        <YearField label={t.fromYear} value={filter.from} onYear={(from) => onChange({ from })} />–
        <YearField label={t.toYear} value={filter.to} onYear={(to) => onChange({ to })} />
      </span>
      <Choice
        label={t.order}
        options={ORDERS}
        chosen={filter.order ?? 'name'}
        isDisabled={isByYears({ order: 'name', fromYear: filter.from, toYear: filter.to })}
        onChoose={(order) => onChange({ order })}
      />
    </ToolRow>
  );
};

/** All albums. The address holds the filter and the order. */
export const AlbumsView = (): ReactNode => {
  const filter = useSearch({ from: '/albums' });
  const navigate = useNavigate({ from: '/albums' });
  const { order = 'name', name, genre, from, to } = useDeferredValue(filter);
  const isFiltered = name !== undefined || genre !== undefined || from !== undefined || to !== undefined;
  return (
    <View
      title={t.albums}
      tools={<Filters filter={filter} onChange={(change) => void navigate({ search: { ...filter, ...change }, replace: true })} />}
      fills
    >
      <AlbumGrid
        key={JSON.stringify([order, genre])}
        source={{ order, name, genre, fromYear: from, toYear: to }}
        emptyText={isFiltered ? t.nothingMatches : t.emptyLibrary}
      />
    </View>
  );
};
