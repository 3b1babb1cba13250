import type { KeyboardEvent } from 'react';
import { useMarks } from '../../marks/index.js';
import type { OpenMenu } from '../components/song-actions.js';
import type { SongSelection } from './use-selection.js';
import type { SeenSongs } from './use-songs.js';

/** Keys of a row: Enter plays, Space selects, 0 to 5 rate, Alt and an arrow move it in lists that can be ordered. */
export const useRowKeys = (
  { songAt }: SeenSongs,
  selection: SongSelection,
  {
    onPlay,
    onMenu,
    onReorder,
  }: { onPlay: (row: number) => void; onMenu: (menu: OpenMenu) => void; onReorder: ((from: number, to: number) => void) | undefined },
) => {
  const { rate } = useMarks('song');
  return (event: KeyboardEvent, row: number): void => {
    const song = songAt(row);
    const move = (by: 1 | -1): void => {
      onReorder?.(row, row + by);
      event.currentTarget.querySelector<HTMLElement>(`[data-row="${row + by}"]`)?.focus();
    };
    const isOnRow = event.target instanceof HTMLElement && event.target.role === 'row';
    const onKey: Readonly<Record<string, (() => void) | undefined>> = {
      ...(isOnRow ? { Enter: () => onPlay(row), ' ': () => selection.toggle(row) } : {}),
      ...(event.altKey && onReorder ? { ArrowUp: () => move(-1), ArrowDown: () => move(1) } : {}),
      ...(event.ctrlKey || event.metaKey ? { a: () => selection.all() } : {}),
      Escape: selection.count > 0 ? () => selection.clear() : undefined,
      ContextMenu: () => onMenu({ place: event.target as HTMLElement, row: selection.has(row) ? undefined : row }),
    };
    const rating = /^[0-5]$/.test(event.key) && isOnRow && song ? () => void rate([song.id], Number(event.key)) : undefined;
    const run = onKey[event.key] ?? rating;
    if (!run) return;
    event.preventDefault();
    run();
  };
};
