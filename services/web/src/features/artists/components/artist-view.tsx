import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { viewOf } from '../../../lib/address.js';
import type { Album, Artist } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { Chips, Failure, Links, Notice, Section } from '../../../ui/view.js';
import { ThingHead } from '../../../ui/thing-head.js';
import { AlbumCard, artistAlbumsQuery } from '../../albums/index.js';
import { Heart, Stars } from '../../marks/index.js';
import { ListTools, SongTable } from '../../songs/parts.js';
import { artistQuery, similarArtistsQuery } from '../queries.js';
import { sectionsOf } from '../sections.js';
import styles from './artist-view.module.css';

const SECTION_NAMES = {
  albums: t.albums,
  singles: t.singles,
  live: t.liveAlbums,
  compilations: t.compilations,
  appearsOn: t.appearsOn,
} as const;

const ArtistHead = ({ artist }: { readonly artist: Artist }): ReactNode => (
  <ThingHead name={artist.name} art={artist.has_art ? { url: artist.art, has: true } : undefined}>
    <p>
      <small>
        {t.albumCount(artist.albumcount)} · {t.songCount(artist.songcount)}
      </small>
    </p>
    <ListTools source={{ kind: 'artist', id: artist.id }} total={artist.songcount} name={artist.name}>
      <Heart kind="artist" object={artist} name={artist.name} />
      <Stars kind="artist" object={artist} name={artist.name} />
    </ListTools>
    {artist.summary && <p className={styles['summary']}>{artist.summary}</p>}
  </ThingHead>
);

const Albums = ({ title, albums }: { readonly title: string; readonly albums: readonly Album[] }): ReactNode => (
  <Section title={title}>
    <div className={styles['grid']}>
      {albums.map((album) => (
        <AlbumCard key={album.id} album={album} />
      ))}
    </div>
  </Section>
);

const Similar = ({ id }: { readonly id: string }): ReactNode => {
  const { data, error, refetch } = useQuery(similarArtistsQuery(id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data || data.items.length === 0) return null;
  return (
    <Section title={t.similarArtists}>
      <Links in={Chips} of={data.items.map(({ id: similar, name }) => ({ to: viewOf('artists', similar), name }))} />
    </Section>
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
            <Section title={t.topSongs}>
              <small>
                <Link to="/songs" search={{ artist: id }}>
                  {t.allSongs}
                </Link>
              </small>
            </Section>
          )}
        </>
      }
    />
  );
};
