import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, type ReactNode } from 'react';
import { Input, SearchField } from 'react-aria-components';
import { t } from '../../../messages/index.js';
import { Failure, Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { AlbumCard } from '../../albums/index.js';
import { SongTable } from '../../songs/index.js';
import { foundQuery } from '../queries.js';
import styles from './search-view.module.css';

/** Finds songs, albums and artists while words are typed. */
export const SearchView = (): ReactNode => {
  const { words = '' } = useSearch({ from: '/search' });
  const navigate = useNavigate();
  const asked = useDeferredValue(words.trim());
  const { data, error, refetch } = useQuery({ ...foundQuery(asked), enabled: asked !== '', placeholderData: keepPreviousData });
  const isEmpty = data && data.albums.length === 0 && data.artists.length === 0 && data.songCount === 0;
  return (
    <View
      title={t.search}
      tools={
        <SearchField
          aria-label={t.search}
          value={words}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- whoever opens the search is about to type
          autoFocus
          onChange={(typed) => void navigate({ to: '/search', search: { words: typed }, replace: true })}
        >
          <Input className={styles['input'] ?? ''} placeholder={t.searchHint} />
        </SearchField>
      }
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {asked !== '' && isEmpty && <Notice>{t.nothingFound(asked)}</Notice>}
      {asked !== '' && data && data.artists.length > 0 && (
        <section className={styles['part']}>
          <h2>{t.artists}</h2>
          <ul className={styles['artists']}>
            {data.artists.map(({ id, name }) => (
              <li key={id}>
                <Link to="/artists/$id" params={{ id }}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {asked !== '' && data && data.albums.length > 0 && (
        <section className={styles['part']}>
          <h2>{t.albums}</h2>
          <div className={styles['grid']}>
            {data.albums.map((album) => (
              <AlbumCard key={album.id} album={album} />
            ))}
          </div>
        </section>
      )}
      {asked !== '' && data && data.songCount > 0 && (
        <section className={styles['songs']}>
          <h2>{t.songs}</h2>
          <SongTable key={asked} source={{ kind: 'search', words: asked }} label={t.songs} />
        </section>
      )}
    </View>
  );
};
