/** Sound in place of the queue, such as an episode. */
export interface OtherSound {
  readonly plays: () => boolean;
  readonly toggle: () => Promise<void>;
  readonly seekBy: (byS: number) => void;
}

let current: OtherSound | undefined;

/** The sound in place of the queue; undefined while the queue is heard. */
export const otherSound = (): OtherSound | undefined => current;

/** Lets the keys and commands of the player steer something else, or the queue again. */
export const steerOther = (sound: OtherSound | undefined): void => {
  current = sound;
};
