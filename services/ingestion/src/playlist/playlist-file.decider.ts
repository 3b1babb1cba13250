import type { Aggregate } from '@continuo/chassis';
import { playlistFileMoved, playlistFileRead, type CatalogId, type PlaylistFileEvent, type PlaylistFileFact } from '@continuo/contracts';

/** State of one playlist file. */
export interface PlaylistFileState {
  readonly fact: PlaylistFileFact | undefined;
}

/** Commands of the playlist-file aggregate. */
export type PlaylistFileCommand =
  | { readonly type: 'record'; readonly fact: PlaylistFileFact }
  | { readonly type: 'move'; readonly catalogId: CatalogId; readonly path: string; readonly to: string };

const isSame = (a: PlaylistFileFact | undefined, b: PlaylistFileFact): boolean => JSON.stringify(a) === JSON.stringify(b);

const decide = ({ fact }: PlaylistFileState, command: PlaylistFileCommand): PlaylistFileEvent[] => {
  if (command.type === 'record') return isSame(fact, command.fact) ? [] : [playlistFileRead(command.fact)];
  const { catalogId, path, to } = command;
  return fact === undefined ? [] : [playlistFileMoved({ catalogId, path, to })];
};

const evolve = (_state: PlaylistFileState, event: PlaylistFileEvent): PlaylistFileState =>
  event.type === 'PlaylistFileRead' ? { fact: event.data } : { fact: undefined };

/** One playlist file of a catalog, by its place. */
export const playlistFileAggregate: Aggregate<PlaylistFileState, PlaylistFileCommand, PlaylistFileEvent> = {
  context: 'ingest',
  kind: 'playlist-file',
  initialState: { fact: undefined },
  decide,
  evolve,
};
