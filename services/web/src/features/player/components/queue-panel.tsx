import { useQuery } from '@tanstack/react-query';
import { GripVertical, ListPlus, Trash2, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button, GridList, GridListItem, useDragAndDrop } from 'react-aria-components';
import type { Song } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { Check } from '../../../ui/fields.js';
import { IconButton } from '../../../ui/buttons.js';
import { SidePanel } from '../../../ui/side-panel.js';
import { Failure } from '../../../ui/view.js';
import { usePlayer } from '../hooks.js';
import { player } from '../instance.js';
import { upcoming } from '../upcoming.js';
import styles from './queue-panel.module.css';

const SMALL_PX = 16;

const Names = ({ song, note }: { readonly song: Song; readonly note?: string | undefined }): ReactNode => (
  <span className={styles['names']}>
    <span>{song.title}</span>
    <small>{[song.artist.name, ...(note === undefined ? [] : [note])].join(' · ')}</small>
  </span>
);

/** The songs that somebody chose: played, moved and removed here. */
const UpNext = (): ReactNode => {
  const { upNext, context } = usePlayer().queue;
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': upNext.find((entry) => entry.key === key)?.song.title ?? '' })),
    onReorder: ({ keys, target: { key, dropPosition: where } }) => {
      if (where !== 'on') player.move(new Set([...keys].map(Number)), { key: Number(key), where });
    },
  });
  return (
    <GridList
      className={styles['list'] ?? ''}
      aria-label={t.upNext}
      items={upNext}
      dragAndDropHooks={dragAndDropHooks}
      onAction={(key) => void player.playEntry(Number(key))}
    >
      {({ key, song, afterIndex }) => (
        <GridListItem id={key} textValue={song.title} className={styles['item'] ?? ''}>
          <Button slot="drag" className={styles['drag'] ?? ''} aria-label={t.moveSong(song.title)}>
            <GripVertical size={SMALL_PX} aria-hidden />
          </Button>
          <Names song={song} note={afterIndex !== undefined && context && context.index < afterIndex ? t.afterAlbum : undefined} />
          <IconButton icon={X} label={t.remove(song.title)} size={SMALL_PX} onPress={() => player.dequeue(key)} />
        </GridListItem>
      )}
    </GridList>
  );
};

/** The songs that somebody chose, or, after they were cleared, a button that brings them back. */
const Chosen = (): ReactNode => {
  const { upNext } = usePlayer().queue;
  const [undo, setUndo] = useState<() => void>();
  if (upNext.length > 0)
    return (
      <>
        <header className={styles['head']}>
          <h3>{t.upNext}</h3>
          <IconButton icon={Trash2} label={t.clear} size={SMALL_PX} onPress={() => setUndo(() => player.clear())} />
        </header>
        <UpNext />
      </>
    );
  if (!undo) return null;
  return (
    <p role="status">
      {t.cleared}{' '}
      <Button
        className={styles['link'] ?? ''}
        onPress={() => {
          undo();
          setUndo(undefined);
        }}
      >
        {t.undo}
      </Button>
    </p>
  );
};

/** Panel of the queue: the songs that somebody chose, then those of the list. @param onSave saves the shown songs and the current one as a playlist */
const QueuePanel = ({
  onClose,
  onSave,
}: {
  readonly onClose: () => void;
  readonly onSave: (songs: readonly Song[]) => void;
}): ReactNode => {
  const { queue, isEndless } = usePlayer();
  const { current, upNext, context } = queue;
  const {
    data: rest = [],
    error,
    refetch,
  } = useQuery({ queryKey: ['upcoming', context], queryFn: () => (context ? upcoming(context) : []), enabled: context !== undefined });
  const all = [...(current ? [current] : []), ...upNext.map(({ song }) => song), ...rest];
  const save = <IconButton icon={ListPlus} label={t.saveQueue} size={20} onPress={() => onSave(all)} />;
  return (
    <SidePanel title={t.queue} tools={all.length > 0 && save} onClose={onClose}>
      {upNext.length === 0 && rest.length === 0 && error === null && (
        <p>
          <small>{t.queueEmpty}</small>
        </p>
      )}
      <Chosen />
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {rest.length > 0 && <h3>{t.upFrom}</h3>}
      <ol className={styles['list']}>
        {context &&
          rest.map((song, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- one song may stand here more than once
            <li key={`${song.id} ${at}`}>
              <Button className={styles['item'] ?? ''} onPress={() => void player.playIndex(context.index + 1 + at)}>
                <Names song={song} />
              </Button>
            </li>
          ))}
      </ol>
      <Check isSwitch label={t.endless} isOn={isEndless} onChange={(isOn) => player.setEndless(isOn)} />
    </SidePanel>
  );
};

export default QueuePanel;
