import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Pencil, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { viewOf } from '../../../lib/address.js';
import { accountQuery, useAccess } from '../../../lib/account.js';
import { t } from '../../../messages/index.js';
import { DeleteButton } from '../../../ui/delete-button.js';
import { openDialog } from '../../../ui/dialogs.js';
import { IconButton } from '../../../ui/buttons.js';
import { LinkList, Notice, useData, View } from '../../../ui/view.js';
import { collectionQuery, deleteCollection, removeEntry, type Contents } from '../queries.js';
import { CollectionDialog } from './collection-dialog.js';

type Entry = Contents[number];

/** Name of an entry and the view that shows it; undefined for one that is gone or hidden. */
const entryOf = (entry: Entry): { readonly name: string; readonly to: string; readonly by?: string | undefined } | undefined => {
  const { song, album, album_disk: disk, artist, playlist, search, podcast, podcast_episode: episode, live_stream: station, video } = entry;
  if (song) return { name: song.title, to: viewOf('albums', song.album.id), by: song.artist.name };
  if (album) return { name: album.name, to: viewOf('albums', album.id), by: album.artist?.name };
  if (disk) return { name: disk.name, to: viewOf('albums', disk.album.id), by: disk.artist?.name };
  if (artist) return { name: artist.name, to: viewOf('artists', artist.id) };
  if (playlist) return { name: playlist.name, to: viewOf('playlists', playlist.id) };
  if (search) return { name: search.name, to: viewOf('playlists', search.id) };
  if (podcast) return { name: podcast.name, to: viewOf('podcasts', podcast.id) };
  if (episode) return { name: episode.title, to: viewOf('podcasts', episode.podcast.id), by: episode.podcast.name };
  if (station) return { name: station.name, to: '/radio' };
  return video && { name: video.title, to: viewOf('videos', video.id) };
};

/** A collection: things of any kind in the order in which they were put into it. */
export const CollectionView = ({ id }: { readonly id: string }): ReactNode => {
  const navigate = useNavigate();
  const { data: account } = useQuery(accountQuery);
  const isAdministrator = useAccess('administrator');
  const [data, state] = useData(collectionQuery(id));
  if (!data) return state;
  const mayChange = isAdministrator || data.owner === account?.username;
  const remove = async (): Promise<void> => {
    await navigate({ to: '/collections' });
    await deleteCollection(id);
  };
  const tools = mayChange && (
    <span>
      <IconButton icon={Pencil} label={t.changeCollection} onPress={() => openDialog(<CollectionDialog collection={data} />)} />
      <DeleteButton label={t.deleteCollection} text={t.deletesCollection(data.name)} onDelete={remove} />
    </span>
  );
  return (
    <View title={data.name} tools={tools}>
      {data.contents.length === 0 && <Notice>{t.emptyCollection}</Notice>}
      <LinkList>
        {data.contents.map((one) => {
          const entry = entryOf(one);
          return (
            entry && (
              <li key={one.track}>
                <Link to={entry.to}>{entry.name}</Link>
                <span>{entry.by}</span>
                {mayChange && <IconButton icon={X} label={t.remove(entry.name)} onPress={() => removeEntry(id, one.track)} />}
              </li>
            )
          );
        })}
      </LinkList>
    </View>
  );
};
