import { useNavigate } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import type { Song } from '../../../lib/api.js';
import { clock } from '../../../lib/format.js';
import { t } from '../../../messages/index.js';
import { Failure, Notice } from '../../../ui/states.js';
import { VirtualList } from '../../../ui/virtual-list.js';
import { player, usePlayer } from '../../player/index.js';
import { useSongs } from '../hooks/use-songs.js';
import type { SongSource } from '../../../lib/song-sources.js';
import styles from './song-table.module.css';

const ROW_PX = 44;

const SongMenu = ({ song }: { readonly song: Song }): ReactNode => {
  const navigate = useNavigate();
  return (
    <MenuTrigger>
      <Button className={styles['more'] ?? ''} aria-label={t.more(song.title)}>
        <Ellipsis size={18} aria-hidden />
      </Button>
      <Popover className={styles['popover'] ?? ''}>
        <Menu className={styles['menu'] ?? ''}>
          <MenuItem onAction={() => player.enqueue([song], 'next')}>{t.playNext}</MenuItem>
          <MenuItem onAction={() => player.enqueue([song], 'last')}>{t.playLast}</MenuItem>
          <MenuItem onAction={() => void navigate({ to: '/albums/$id', params: { id: song.album.id } })}>{t.goToAlbum}</MenuItem>
          <MenuItem onAction={() => void navigate({ to: '/artists/$id', params: { id: song.artist.id } })}>{t.goToArtist}</MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
};

const Row = ({ song, onPlay }: { readonly song: Song; readonly onPlay: () => void }): ReactNode => {
  const isCurrent = usePlayer().queue.current?.id === song.id;
  return (
    <div className={styles['row']} data-current={isCurrent || undefined} role="presentation" onDoubleClick={onPlay}>
      <span role="gridcell" className={styles['number']}>
        {song.track || ''}
      </span>
      <span role="gridcell" className={styles['title']}>
        <button type="button" className={styles['play']} onClick={onPlay}>
          {song.title}
        </button>
      </span>
      <span role="gridcell" className={styles['wide']}>
        {song.artist.name}
      </span>
      <span role="gridcell" className={styles['wide']}>
        {song.album.name}
      </span>
      <span role="gridcell" className={styles['time']}>
        {clock(song.time)}
      </span>
      <span role="gridcell">
        <SongMenu song={song} />
      </span>
    </div>
  );
};

/** The songs of a list, however long; one plays the list from there. */
export const SongTable = ({ source, label }: { readonly source: SongSource; readonly label: string }): ReactNode => {
  const { total, songAt, onSeen, error, retry } = useSongs(source);
  const [name] = useState(() => JSON.stringify(source));
  if (error !== null && total === undefined) return <Failure error={error} onRetry={retry} />;
  if (total === undefined) return <Notice>{t.loading}</Notice>;
  if (total === 0) return <Notice>{t.emptyLibrary}</Notice>;
  return (
    <VirtualList name={name} label={label} rowCount={total} rowPx={ROW_PX} onSeen={onSeen}>
      {(row) => {
        const song = songAt(row);
        return song ? (
          <Row song={song} onPlay={() => void player.playSource(source, { total, position: row })} />
        ) : (
          <div className={styles['row']} />
        );
      }}
    </VirtualList>
  );
};
