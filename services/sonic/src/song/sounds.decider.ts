import type { Aggregate } from '@continuo/chassis';
import { sonicSongFailed, sonicSongHeard, type SonicSongEvent, type SoundFile } from '@continuo/contracts';

/** State of one song. */
export interface KnownSound extends SoundFile {
  readonly model: string;
  /** Null where it could not be analysed. */
  readonly fingerprint: string | null;
  /** The run that found it out last. */
  readonly runId?: string | undefined;
}

/** State of a block of songs, by song id. */
export type SoundsState = Readonly<Record<number, KnownSound>>;

type Heard = ReturnType<typeof sonicSongHeard>['data'];
type Failed = ReturnType<typeof sonicSongFailed>['data'];

/** Commands about a song; the same result for the same file changes nothing, unless another run found it. */
export type SoundsCommand = { readonly type: 'hear'; readonly heard: Heard } | { readonly type: 'fail'; readonly failed: Failed };

/** True when a song need not be looked at again: the same model knows the same file. */
export const isKnown = (known: KnownSound | undefined, { sizeBytes, modifiedAtMs }: SoundFile, model: string): known is KnownSound =>
  known !== undefined && known.model === model && known.sizeBytes === sizeBytes && known.modifiedAtMs === modifiedAtMs;

const decide = (state: SoundsState, command: SoundsCommand): SonicSongEvent[] => {
  const data = command.type === 'hear' ? command.heard : command.failed;
  const known = state[data.songId];
  const fingerprint = command.type === 'hear' ? command.heard.fingerprint : null;
  if (isKnown(known, data.file, data.model) && known.runId === data.runId && known.fingerprint === fingerprint) return [];
  return [command.type === 'hear' ? sonicSongHeard(command.heard) : sonicSongFailed(command.failed)];
};

const evolve = (state: SoundsState, event: SonicSongEvent): SoundsState => {
  switch (event.type) {
    case 'SonicSongHeard': {
      const { songId, model, fingerprint, file, runId } = event.data;
      return { ...state, [songId]: { model, fingerprint, runId, ...file } };
    }
    case 'SonicSongFailed': {
      const { songId, model, file, runId } = event.data;
      return { ...state, [songId]: { model, fingerprint: null, runId, ...file } };
    }
    default:
      return state;
  }
};

/** Aggregate of the sounds of a block of neighbouring songs; the id is that of the block. A library of a million songs has some 60,000 of them. */
export const soundsAggregate: Aggregate<SoundsState, SoundsCommand, SonicSongEvent> = {
  context: 'sonic',
  kind: 'sounds',
  snapshotVersion: 1,
  initialState: {},
  keepWarm: 64,
  decide,
  evolve,
};
