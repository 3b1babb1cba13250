import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { viewOf } from '../../../lib/address.js';
import type { Album } from '../../../lib/api.js';
import { clock } from '../../../lib/format.js';
import { t } from '../../../messages/index.js';
import { Chips, Links, useData } from '../../../ui/view.js';
import { ThingHead } from '../../../ui/thing-head.js';
import { Heart, Stars } from '../../marks/index.js';
import { ListTools, SongTable } from '../../songs/parts.js';
import { albumQuery } from '../queries.js';

const AlbumHead = ({ album }: { readonly album: Album }): ReactNode => (
  <ThingHead name={album.name} art={{ url: album.art, has: album.has_art }}>
    <p>
      {album.artist && <Link to={viewOf('artists', album.artist.id)}>{album.artist.name}</Link>}
      <small>
        {album.year > 0 && ` · ${album.year}`} · {t.songCount(album.songcount)} · {clock(album.time)}
      </small>
    </p>
    {album.genre.length > 0 && <Links in={Chips} of={album.genre.map(({ id, name }) => ({ to: viewOf('genres', id), name }))} />}
    <ListTools source={{ kind: 'album', id: album.id }} total={album.songcount} name={album.name}>
      <Heart kind="album" object={album} name={album.name} />
      <Stars kind="album" object={album} name={album.name} />
    </ListTools>
  </ThingHead>
);

/** An album with its songs. */
export const AlbumView = ({ id }: { readonly id: string }): ReactNode => {
  const [album, state] = useData(albumQuery(id));
  if (!album) return state;
  return <SongTable source={{ kind: 'album', id }} label={album.name} intro={<AlbumHead album={album} />} hasDiscs={album.diskcount > 1} />;
};
