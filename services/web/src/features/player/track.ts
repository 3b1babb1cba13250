import type { SoundFormat } from './gapless/sound-format.js';

/** Source for a media element, and how it is played. */
export interface Track {
  readonly id: string;
  /** Address of its sound; it opens nothing else and ends after some hours. */
  readonly url: string;
  /** Factor of the volume, from ReplayGain; 1 for none. */
  readonly gain: number;
  /** Length of the whole, for streams that do not tell theirs, s; 0 for unknown. */
  readonly durationS: number;
  /** True when the browser knows to the millisecond when it ends, so that the next can start right there. */
  readonly isExact?: boolean;
  /** For a file of this server in a format whose files can be joined without a gap. */
  readonly joinsAs?: SoundFormat | undefined;
  /** Address of its sound from a position on, s: for streams that are made while they are sent, in which nobody can go to what is not there yet. */
  readonly urlFrom?: ((positionS: number) => string) | undefined;
}

/** State of the player, a new object with each change. */
export interface Playback {
  readonly state: 'empty' | 'loading' | 'playing' | 'paused';
  readonly trackId: string | undefined;
  readonly positionS: number;
  /** NaN until it is known. */
  readonly durationS: number;
  /** End of what is loaded, from the beginning, s. */
  readonly bufferedS: number;
}
