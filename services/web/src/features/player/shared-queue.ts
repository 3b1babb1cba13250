import type { Song } from '../../lib/api.js';
import { isFields, parsed } from '../../lib/kept.js';
import { watched } from '../../lib/watched.js';
import { deviceIn, type Device } from './device.js';
import { isCount, listIn } from './kept.js';
import type { Player } from './player.js';
import type { Entry, Queue } from './queue.js';

/** The queue as the server keeps it. */
interface SavedQueue {
  readonly position_ms: number;
  readonly update_ms: number;
  readonly client: string;
  readonly context: string | null;
  /** The current song and those after it. */
  readonly song: readonly Song[];
}

/** Storage of this browser, and the server. */
interface SharedQueueNeeds {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly read: (songs: number) => Promise<SavedQueue>;
  readonly write: (queue: { songs: string; index: string; position_ms: string; context?: string }) => Promise<void>;
  /** Told why the queue could not be read or saved; both are tried again later. */
  readonly onTrouble: (error: unknown) => void;
}

/** Song that another device of the account plays, or has paused because this one asked for it. */
export interface Elsewhere {
  readonly deviceName: string;
  readonly song: Song;
  readonly plays: boolean;
  /** Where it stood at a time, s and ms since 1970. */
  readonly positionS: number;
  readonly atMs: number;
}

/** Tells another device to do something. */
export type Command =
  /** `queue`: to let follow what follows in the queue that is saved with the command. */
  { readonly action: 'pause' | 'resume' | 'next' | 'previous' | 'queue' } | { readonly action: 'seek'; readonly positionS: number };

/** Position while it plays is told so often, ms; after a change of the queue, so soon. */
const TOLD_EVERY_MS = 15_000;
const TOLD_AFTER_MS = 800;
/** Pause before a queue that the server did not take is told again, ms. */
const TOLD_AGAIN_AFTER_MS = 5000;
/** A position that is so far from where it should be was gone to, s. */
const MOVED_S = 8;
/** A device hears within so long that the sound was moved away from it, ms. */
const MOVED_WITHIN_MS = 5000;
/** A device that has told nothing for longer plays no more, ms. */
const HEARD_WITHIN_MS = 2.5 * TOLD_EVERY_MS;
/** One that was paused from here is shown for so long, ms: it may be gone. */
const PAUSED_WITHIN_MS = 600_000;
/** After an event the queue is looked at so late, ms: several come together. */
const LOOK_AFTER_MS = 100;
/** As the server takes it. */
const LONGEST_CONTEXT = 2000;
const MOST_SONGS = 500;

/** Device and state that are saved with a queue. */
interface About {
  readonly device?: unknown;
  readonly name?: unknown;
  readonly plays?: unknown;
  /** True when its page was left. */
  readonly isLeft?: unknown;
  /** Device that the sound was moved away from, and when. */
  readonly from?: unknown;
  readonly movedAtMs?: unknown;
  /** Asked of the device by another one. */
  readonly command?: unknown;
}

const aboutOf = ({ context }: SavedQueue): About & Readonly<Record<string, unknown>> => {
  const kept = parsed(context);
  return isFields(kept) ? kept : {};
};

/** Position in the song of a queue by now, s; of a device that plays, but has told nothing since, not further than it must have told. */
const positionOf = (saved: SavedQueue): number => {
  const passedMs = aboutOf(saved).plays === true ? Math.min(Date.now() - saved.update_ms, TOLD_EVERY_MS) : 0;
  return (saved.position_ms + Math.max(0, passedMs)) / 1000;
};

/** Text of what is saved with a queue, without the list and how it is played with it when that is too long for the server. */
const shortened = (about: Readonly<Record<string, unknown>>): string => {
  const whole = JSON.stringify(about);
  return whole.length > LONGEST_CONTEXT ? JSON.stringify({ ...about, context: undefined, repeat: undefined, waits: undefined }) : whole;
};

/** Chosen songs that come later in the list: the index after which, by their place among the chosen ones. */
type Waits = Readonly<Record<string, unknown>>;

/** Parts of a queue that are saved. */
const savedPartsOf = ({
  current,
  upNext,
  context,
  repeat,
}: Queue): { songs: readonly Song[]; list: Pick<Queue, 'context' | 'repeat'> & { waits: Waits | undefined } } => {
  const chosen = upNext.slice(0, MOST_SONGS - 1);
  const waits = chosen.flatMap(({ afterIndex }, at) => (afterIndex === undefined ? [] : [[at, afterIndex] as const]));
  return {
    songs: [...(current ? [current] : []), ...chosen.map(({ song }) => song)],
    list: { context, repeat, waits: waits.length === 0 ? undefined : Object.fromEntries(waits) },
  };
};

const queueOf = (saved: SavedQueue): Queue => {
  const [current, ...rest] = saved.song;
  const about = aboutOf(saved);
  const waits: Waits = isFields(about['waits']) ? about['waits'] : {};
  const afterIndexOf = (at: number): Pick<Entry, 'afterIndex'> => (isCount(waits[at]) ? { afterIndex: waits[at] } : {});
  return { current, upNext: rest.map((song, at) => ({ key: at + 1, song, ...afterIndexOf(at) })), ...listIn(about) };
};

/** Keeps the queue at the server, where other devices of the account find it; shows what they play, and moves it here. */
export class SharedQueue {
  readonly #device: Device;
  readonly elsewhere = watched<Elsewhere | undefined>(undefined);
  #told: Queue | undefined;
  #toldAtMs = 0;
  #tellsPlaying = false;
  /** True when nobody else has told anything since this page did. */
  #isOurs = false;
  /** True when it was told before anything sounded: the position was not yet that of the sound. */
  #toldEarly = false;
  /** When the song would have begun, had it played all the time until it was last told. */
  #startMs = 0;
  #telling: ReturnType<typeof setTimeout> | undefined;
  #looking: ReturnType<typeof setTimeout> | undefined;
  #forgetting: ReturnType<typeof setTimeout> | undefined;
  /** The device that the sound was moved away from last. */
  #moved: { readonly from?: unknown; readonly movedAtMs: number } = { movedAtMs: 0 };
  /** The move away from here that was last heard of. */
  #obeyedMs: unknown;
  /** The command that was last heard of; those from before this page was opened are not obeyed. */
  #obeyed: unknown;
  #isStarted = false;
  /** The device that was last steered from here. */
  #steered: unknown;

  constructor(
    private readonly player: Player,
    private readonly needs: SharedQueueNeeds,
  ) {
    this.#device = deviceIn(needs.storage);
  }

  /** Takes up what another device has left, and tells from now on what this one does. */
  async start(): Promise<void> {
    this.#told = this.player.state().queue;
    await this.look();
    this.#isStarted = true;
    this.player.subscribe(() => this.#notice());
    this.player.engine.subscribe(() => this.#notice());
    // Something may have been chosen by now.
    this.#notice();
  }

  /** A device has changed the queue. */
  note(): void {
    clearTimeout(this.#looking);
    this.#looking = setTimeout(() => void this.look(), LOOK_AFTER_MS);
  }

  /** Looks at what another device has changed. */
  async look(): Promise<void> {
    try {
      await this.#follow();
    } catch (error) {
      // The next event is looked at again.
      this.needs.onTrouble(error);
    }
  }

  async #follow(): Promise<void> {
    const isIdle = !this.#isPlaying();
    const toldAtMs = this.#toldAtMs;
    const saved = await this.needs.read(isIdle ? MOST_SONGS : 1);
    const about = aboutOf(saved);
    const [song] = saved.song;
    if (about.device === this.#device.id) await this.#obey(about.command);
    if (about.device === this.#device.id || !song) return this.#show(undefined);
    this.#isOurs = false;
    if (about.from === this.#device.id && about.movedAtMs !== this.#obeyedMs) {
      this.#obeyedMs = about.movedAtMs;
      // The other device tells from now on what plays.
      clearTimeout(this.#telling);
      this.#telling = undefined;
      this.#tellsPlaying = false;
      this.#told = this.player.state().queue;
      this.player.engine.pause();
    }
    const plays = about.plays === true;
    const isSteered = about.device === this.#steered && about.isLeft !== true;
    const isHeard = plays ? Date.now() - saved.update_ms < HEARD_WITHIN_MS : isSteered;
    // It has told something before it heard that the sound is here.
    if (plays && about.device === this.#moved.from && Date.now() - this.#moved.movedAtMs < MOVED_WITHIN_MS) this.#tell();
    const deviceName = typeof about.name === 'string' ? about.name : saved.client;
    this.#show(isHeard ? { deviceName, song, plays, positionS: positionOf(saved), atMs: Date.now() } : undefined);
    // What was chosen here meanwhile is told, and not replaced.
    const isOwn = this.#telling !== undefined || this.player.state().queue !== this.#told || this.#toldAtMs !== toldAtMs;
    if (isIdle && !this.#isPlaying() && !isOwn) await this.#takeUp(saved, isHeard ? 'later' : 'load');
  }

  /** The device that is steered from here: another one plays, and this one does not. */
  remote(): Elsewhere | undefined {
    return this.#isPlaying() ? undefined : this.elsewhere.current();
  }

  /** Asks the device that plays to do something. @throws when the server does not take it */
  async steer(command: Command): Promise<void> {
    const saved = await this.needs.read(MOST_SONGS);
    const about = aboutOf(saved);
    this.#steered = about.device;
    const { songs, list } = command.action === 'queue' ? savedPartsOf(this.player.state().queue) : { songs: saved.song };
    // Who moves the sound before the other device has told where it is goes on at the place that was asked for.
    const positionS = command.action === 'seek' ? command.positionS : positionOf(saved);
    await this.#save(songs, positionS, { ...about, ...list, command: { ...command, sentAtMs: Date.now() } });
  }

  #save(songs: readonly Song[], positionS: number, about: Readonly<Record<string, unknown>>): Promise<void> {
    const ids = songs.map(({ id }) => id).join(',');
    return this.needs.write({ songs: ids, index: '0', position_ms: String(Math.round(positionS * 1000)), context: shortened(about) });
  }

  async #obey(command: unknown): Promise<void> {
    if (!isFields(command) || command['sentAtMs'] === this.#obeyed) return;
    this.#obeyed = command['sentAtMs'];
    if (!this.#isStarted) return;
    const { action, positionS } = command;
    if (action === 'pause') this.player.engine.pause();
    if (action === 'resume') void this.player.resume();
    if (action === 'next') void this.player.next();
    if (action === 'previous') void this.player.previous();
    if (action === 'seek' && typeof positionS === 'number') this.player.engine.seek(positionS);
    if (action === 'queue') await this.#takeChange();
    this.#telling ??= setTimeout(() => this.#tell(), TOLD_AFTER_MS);
  }

  /** Lets follow what another device has put into the queue, unless that was for an earlier song. */
  async #takeChange(): Promise<void> {
    const saved = await this.needs.read(MOST_SONGS);
    if (saved.song[0]?.id === this.player.state().queue.current?.id) this.player.change(queueOf(saved));
  }

  /** Plays here what another device plays, which then pauses. */
  async moveHere(): Promise<void> {
    this.player.engine.unlock();
    const saved = await this.needs.read(MOST_SONGS);
    this.#moved = { from: aboutOf(saved).device, movedAtMs: Date.now() };
    this.#show(undefined);
    await this.#takeUp(saved, 'play');
    this.#tell();
  }

  /** The page is left. */
  leave(): void {
    if (this.#isOurs || this.#telling !== undefined) this.#tell(true);
  }

  #isPlaying(): boolean {
    const { state } = this.player.engine.playback();
    return state === 'playing' || state === 'loading';
  }

  async #takeUp(saved: SavedQueue, opening: 'play' | 'load' | 'later'): Promise<void> {
    const queue = queueOf(saved);
    this.#told = queue;
    await this.player.takeUp(queue, Math.min(positionOf(saved), Math.max(0, (queue.current?.time ?? 0) - 1)), opening);
    this.#told = this.player.state().queue;
  }

  #notice(): void {
    const { queue } = this.player.state();
    const plays = this.#isPlaying();
    const isMoved = plays && Math.abs(this.player.engine.playback().positionS - (Date.now() - this.#startMs) / 1000) > MOVED_S;
    const isBegun = this.#toldEarly && this.player.engine.playback().state === 'playing';
    const isChanged = queue !== this.#told || plays !== this.#tellsPlaying || isMoved || isBegun;
    const isDue = plays && Date.now() - this.#toldAtMs > TOLD_EVERY_MS;
    // Who has only looked at what another device plays has nothing to tell.
    if ((isChanged || isDue) && (plays || this.#tellsPlaying || queue !== this.#told))
      this.#telling ??= setTimeout(() => this.#tell(), TOLD_AFTER_MS);
  }

  #tell(isLeft = false): void {
    clearTimeout(this.#telling);
    this.#telling = undefined;
    this.#told = this.player.state().queue;
    // A change to the queue of the device that plays is for that device to take.
    const isTheirs = this.remote() !== undefined && !this.#tellsPlaying;
    const saving = isTheirs ? this.steer({ action: 'queue' }) : this.#tellOwn(this.#told, isLeft);
    saving.catch((error: unknown) => {
      this.needs.onTrouble(error);
      this.#telling ??= setTimeout(() => this.#tell(), TOLD_AGAIN_AFTER_MS);
    });
  }

  #tellOwn(queue: Queue, isLeft: boolean): Promise<void> {
    const { positionS, state } = this.player.engine.playback();
    const plays = !isLeft && this.#isPlaying();
    this.#toldEarly = state === 'loading';
    this.#tellsPlaying = plays;
    this.#isOurs = true;
    this.#toldAtMs = Date.now();
    this.#startMs = this.#toldAtMs - positionS * 1000;
    const { songs, list } = savedPartsOf(queue);
    const about = {
      device: this.#device.id,
      name: this.#device.name,
      plays,
      isLeft,
      ...(this.#moved.from === undefined ? {} : this.#moved),
    };
    return this.#save(songs, positionS, { ...about, ...list });
  }

  #show(elsewhere: Elsewhere | undefined): void {
    clearTimeout(this.#forgetting);
    if (elsewhere) this.#forgetting = setTimeout(() => this.#show(undefined), elsewhere.plays ? HEARD_WITHIN_MS : PAUSED_WITHIN_MS);
    if (elsewhere || this.elsewhere.current()) this.elsewhere.set(elsewhere);
  }
}
