import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Album, Artist } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { Art } from '../../../ui/art.js';
import { Chips } from '../../../ui/chips.js';
import { Failure, Notice } from '../../../ui/states.js';
import { AlbumCard, artistAlbumsQuery } from '../../albums/index.js';
import { Heart, Stars } from '../../marks/index.js';
import { PlayButtons } from '../../player/index.js';
import { ListMenu, SongTable } from '../../songs/index.js';
import { artistQuery, similarArtistsQuery } from '../queries.js';
import { sectionsOf } from '../sections.js';
import styles from './artist-view.module.css';

const ART_PX = 180;
const SECTION_NAMES = {
  albums: t.albums,
  singles: t.singles,
  live: t.liveAlbums,
  compilations: t.compilations,
  appearsOn: t.appearsOn,
} as const;

const ArtistHead = ({ artist }: { readonly artist: Artist }): ReactNode => (
  <header className={styles['head']}>
    {artist.has_art && (
      <span className={styles['art']}>
        <Art url={artist.art} has px={ART_PX} />
      </span>
    )}
    <div className={styles['facts']}>
      <h1>{artist.name}</h1>
      <p className={styles['dim']}>
        {t.albumCount(artist.albumcount)} · {t.songCount(artist.songcount)}
      </p>
      <div className={styles['tools']}>
        <PlayButtons source={{ kind: 'artist', id: artist.id }} total={artist.songcount} />
        <Heart kind="artist" object={artist} name={artist.name} />
        <Stars kind="artist" object={artist} name={artist.name} />
        <ListMenu source={{ kind: 'artist', id: artist.id }} total={artist.songcount} name={artist.name} />
      </div>
      {artist.summary && <p className={styles['summary']}>{artist.summary}</p>}
    </div>
  </header>
);

const Albums = ({ title, albums }: { readonly title: string; readonly albums: readonly Album[] }): ReactNode => (
  <section className={styles['section']}>
    <h2>{title}</h2>
    <div className={styles['grid']}>
      {albums.map((album) => (
        <AlbumCard key={album.id} album={album} />
      ))}
    </div>
  </section>
);

const Similar = ({ id }: { readonly id: string }): ReactNode => {
  const { data, error, refetch } = useQuery(similarArtistsQuery(id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data || data.items.length === 0) return null;
  return (
    <section className={styles['section']}>
      <h2>{t.similarArtists}</h2>
      <Chips>
        {data.items.map((artist) => (
          <li key={artist.id}>
            <Link to="/artists/$id" params={{ id: artist.id }}>
              {artist.name}
            </Link>
          </li>
        ))}
      </Chips>
    </section>
  );
};

/** An artist: the albums in sections, similar artists, and the songs that were played most. */
export const ArtistView = ({ id }: { readonly id: string }): ReactNode => {
  const artist = useQuery(artistQuery(id));
  const own = useQuery(artistAlbumsQuery(id, true));
  const all = useQuery(artistAlbumsQuery(id, false));
  const error = artist.error ?? own.error ?? all.error;
  if (error) return <Failure error={error} onRetry={() => void Promise.all([artist.refetch(), own.refetch(), all.refetch()])} />;
  if (!artist.data || !own.data || !all.data) return <Notice>{t.loading}</Notice>;
  return (
    <SongTable
      source={{ kind: 'top', id }}
      label={t.topSongs}
      emptyText=""
      intro={
        <>
          <ArtistHead artist={artist.data} />
          {sectionsOf(own.data.items, all.data.items).map(({ name, albums }) => (
            <Albums key={name} title={SECTION_NAMES[name]} albums={albums} />
          ))}
          <Similar id={id} />
          {artist.data.songcount > 0 && (
            <section className={styles['section']}>
              <h2>{t.topSongs}</h2>
              <Link to="/songs" search={{ artist: id }} className={styles['all'] ?? ''}>
                {t.allSongs}
              </Link>
            </section>
          )}
        </>
      }
    />
  );
};
