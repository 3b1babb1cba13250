import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { Chips } from '../../../ui/chips.js';
import { Failure, Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { AlbumCard } from '../../albums/index.js';
import { SongTable } from '../../songs/index.js';
import { foundAlbumsQuery, foundArtistsQuery, foundPlaylistsQuery, foundSongsQuery } from '../queries.js';
import styles from './search-view.module.css';

/** Id of the search field. */
const SEARCH_FIELD = 'search-field';

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode => (
  <section className={styles['part']}>
    <h2>{title}</h2>
    {children}
  </section>
);

const Names = ({
  title,
  to,
  things,
}: {
  readonly title: string;
  readonly to: '/artists/$id' | '/playlists/$id';
  readonly things: readonly { readonly id: string; readonly name: string }[];
}): ReactNode =>
  things.length > 0 && (
    <Part title={title}>
      <Chips>
        {things.map(({ id, name }) => (
          <li key={id}>
            <Link to={to} params={{ id }} data-focus>
              {name}
            </Link>
          </li>
        ))}
      </Chips>
    </Part>
  );

const Results = ({ words }: { readonly words: string }): ReactNode => {
  const options = { placeholderData: keepPreviousData };
  const artists = useQuery({ ...foundArtistsQuery(words), ...options });
  const albums = useQuery({ ...foundAlbumsQuery(words), ...options });
  const playlists = useQuery({ ...foundPlaylistsQuery(words), ...options });
  const songs = useQuery({ ...foundSongsQuery(words), ...options });
  const all = [artists, albums, playlists, songs];
  const failed = all.find(({ error }) => error !== null);
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!artists.data || !albums.data || !playlists.data || !songs.data) return <Notice>{t.loading}</Notice>;
  if (all.every(({ data }) => data?.total === 0)) return <Notice>{t.nothingFound(words)}</Notice>;
  const intro = (
    <>
      <Names title={t.artists} to="/artists/$id" things={artists.data.items} />
      {albums.data.total > 0 && (
        <Part title={t.albums}>
          <div className={styles['grid']}>
            {albums.data.items.map((album) => (
              <AlbumCard key={album.id} album={album} />
            ))}
          </div>
        </Part>
      )}
      <Names title={t.playlists} to="/playlists/$id" things={playlists.data.items} />
      {songs.data.total > 0 && (
        <Part title={t.songs}>
          <p className={styles['dim']}>{t.songCount(songs.data.total)}</p>
        </Part>
      )}
    </>
  );
  return <SongTable key={JSON.stringify(songs.data.source)} source={songs.data.source} label={t.songs} intro={intro} emptyText="" />;
};

/** Moves the focus between the field and the results by the arrow keys; the table of songs moves it by itself. */
const onArrow = (event: KeyboardEvent<HTMLElement>): void => {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const target = event.target as HTMLElement;
  if (step === 0 || (target.closest('[role="row"]') && !(step < 0 && target.dataset['row'] === '0'))) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(`#${SEARCH_FIELD}, [data-focus], [data-row="0"]`)];
  const next = stops[stops.indexOf(target) + step];
  if (!next) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
};

/** Finds artists, albums, playlists and songs while words are typed. */
export const SearchView = (): ReactNode => {
  const { words = '' } = useSearch({ from: '/search' });
  const navigate = useNavigate();
  const asked = useDeferredValue(words.trim());
  return (
    <div className={styles['view']} role="search" onKeyDownCapture={onArrow}>
      <View
        title={t.search}
        tools={
          <input
            id={SEARCH_FIELD}
            type="search"
            className={styles['input']}
            aria-label={t.search}
            placeholder={t.searchHint}
            value={words}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- whoever opens the search is about to type
            autoFocus
            onChange={({ target }) => void navigate({ to: '/search', search: { words: target.value }, replace: true })}
          />
        }
        fills
      >
        {asked === '' ? <Notice>{t.searchKeys}</Notice> : <Results words={asked} />}
      </View>
    </div>
  );
};
