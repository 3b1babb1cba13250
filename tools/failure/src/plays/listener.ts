import { randomUUID } from 'node:crypto';
import type { CommandClient } from '@continuo/chassis';
import { recordPlays, startPlayback, stopPlayback, type SongId, type UserId } from '@continuo/contracts';
import type { SeededRandom } from '../random/seeded-random.js';
import type { RetryingClient } from '../writes/retrying-client.js';
import type { PlayLedger } from './play-ledger.js';

/** Dependencies shared by the listeners of a series. */
export interface ListenerDependencies {
  readonly client: RetryingClient;
  /** Sends and does not insist. */
  readonly commands: CommandClient;
  readonly ledger: PlayLedger;
  readonly random: SeededRandom;
}

/** Accounts of a listener; `shared` is used by others, too. */
export interface ListenerAccounts {
  readonly own: number;
  readonly shared: number;
}

const SONG_MS = 200_000;
const SKIP_WINDOW_MS = 20_000;
const SONGS = 40;
/** Long enough that no play is taken for the one before. */
const APART_MS = 400_000;
/** Shorter than some answers take. */
const IMPATIENT_MS = 60;
const LONGEST_LIST = 60;
/** Songs that only commands without an answer are about. */
const LEFT_SONGS = 1000;

/** Listens as clients do, one thing after the other: plays and skips under way, lists sent in later and once more, plays heard out. */
export class Listener {
  readonly #tools: ListenerDependencies;
  readonly #accounts: ListenerAccounts;
  readonly #name: string;
  #clockMs = 1_700_000_000_000;
  #left = 0;

  constructor(tools: ListenerDependencies, accounts: ListenerAccounts) {
    this.#tools = tools;
    this.#accounts = accounts;
    this.#name = `listener ${accounts.own}`;
  }

  /** Goes on until it is told to stop; what is begun is finished. */
  async run(isOver: () => boolean): Promise<void> {
    const { random } = this.#tools;
    while (!isOver()) {
      const chance = random.next();
      if (chance < 0.3) await this.#listen();
      else if (chance < 0.6) await this.#sendList(this.#accounts.own);
      else if (chance < 0.8) await this.#sendList(this.#accounts.shared);
      else if (chance < 0.9) await this.#hearOut();
      else await this.#leave();
    }
  }

  /** A play under way, which the next one may turn into a skip. */
  async #listen(): Promise<void> {
    const { own } = this.#accounts;
    const songs = [this.#song(1), this.#song(2), this.#song(3)];
    let before: number | undefined;
    for (const songId of songs) {
      await this.#tools.client.sendForgetfully(startPlayback, this.#playing(songId, { play: { skipWindowMs: SKIP_WINDOW_MS } }));
      this.#tools.ledger.played(own, songId);
      if (before !== undefined) this.#tools.ledger.skipped(own, before);
      const isSkipped = this.#tools.random.chance(0.3);
      before = isSkipped ? songId : undefined;
      this.#clockMs += isSkipped ? SKIP_WINDOW_MS / 2 : APART_MS;
    }
    this.#clockMs += APART_MS;
  }

  /** Sends offline plays, sometimes twice, as a client does after a lost answer. */
  async #sendList(userId: number): Promise<void> {
    const { random, client, ledger } = this.#tools;
    const count = random.between(1, LONGEST_LIST);
    const plays = Array.from({ length: count }, () => {
      this.#clockMs += APART_MS;
      return { songId: this.#song(4), playedAtMs: this.#clockMs, ...(random.chance(0.5) ? { durationMs: SONG_MS } : {}) };
    });
    const data = { userId: userId as UserId, client: this.#name, plays };
    await client.sendForgetfully(recordPlays, data);
    for (const { songId } of plays) ledger.played(userId, songId);
    if (random.chance(0.3)) await client.send(recordPlays, data);
  }

  /** A player that reports: it counts at the end, once, however often that is said. */
  async #hearOut(): Promise<void> {
    const { own } = this.#accounts;
    const { client, ledger, random } = this.#tools;
    const songId = this.#song(5);
    const { userId, objectType, objectId, startedAtMs, ...playing } = this.#playing(songId, {});
    await client.sendForgetfully(startPlayback, { userId, objectType, objectId, startedAtMs, ...playing });
    const stop = { userId, client: this.#name, objectType, objectId, heard: { startedAtMs, durationMs: SONG_MS } };
    await client.sendForgetfully(stopPlayback, stop);
    ledger.played(own, songId);
    if (random.chance(0.3)) await client.send(stopPlayback, stop);
    this.#clockMs += APART_MS;
  }

  /** Goes away before there is an answer, and never asks again. */
  async #leave(): Promise<void> {
    const { own } = this.#accounts;
    const songId = (LEFT_SONGS + this.#left) as SongId;
    this.#left += 1;
    this.#clockMs += APART_MS;
    const plays = [{ songId, playedAtMs: this.#clockMs }];
    const context = { actor: 'system', correlationId: randomUUID(), causationId: 'failure-suite' };
    try {
      const options = { commandId: randomUUID(), timeoutMs: this.#tools.random.between(2, IMPATIENT_MS) };
      await this.#tools.commands.send(recordPlays, { userId: own, client: this.#name, plays }, context, options);
      this.#tools.ledger.played(own, songId);
    } catch {
      // The outcome is unknown, whatever the reason.
      this.#tools.ledger.unansweredPlay(own, songId);
    }
  }

  /** Songs of each way to listen are its own, so that one is never taken for the other. */
  #song(way: number): SongId {
    return (way * 100 + this.#tools.random.between(0, SONGS - 1)) as SongId;
  }

  #playing(songId: SongId, more: { readonly play?: { readonly skipWindowMs: number } }) {
    return {
      userId: this.#accounts.own as UserId,
      client: this.#name,
      objectType: 'song' as const,
      objectId: Number(songId),
      startedAtMs: this.#clockMs,
      durationMs: SONG_MS,
      isNow: true,
      ...more,
    };
  }
}
