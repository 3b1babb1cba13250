import type { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { controlPlayer, readPlayer, userId, type PlayerAction, type PlayerEntry, type PlayerStatus } from '@continuo/contracts';
import { playerAddress, type PlayerMedium } from '../../src/features/localplay/player-addresses.js';
import { TEST_NOW_MS, TEST_SECRET } from '../servers/test-gateway.js';

/** An entry that account 1 has queued, with the names that the player has been told. */
export const queuedEntry = (
  type: PlayerMedium['type'],
  id: number,
  { secret = TEST_SECRET, fromMs }: { readonly secret?: string | undefined; readonly fromMs?: number } = {},
): PlayerEntry => {
  const config = {
    PUBLIC_URL: 'http://server.example',
    LOCALPLAY_STREAM_URL: undefined,
    HOST: '0.0.0.0',
    PORT: 8080,
  };
  const url = playerAddress({ config, secrets: secret, now: () => TEST_NOW_MS } as never, userId.parse(1), {
    type,
    id,
    fileName: `${type} ${id}.flac`,
    fromMs,
  });
  return { url, title: `${type} ${id} as the player knows it`, artist: 'an artist', album: 'an album' };
};

/** A radio station that another program has queued. */
export const foreignEntry: PlayerEntry = {
  url: 'https://somebody:password@radio.example/stream.mp3?token=theirs',
  title: 'Harbour Radio',
  artist: '',
  album: '',
};

/** A player that stands still: it does what it is told without a change, and keeps what that was. */
export class IdlePlayer {
  readonly told: PlayerAction[] = [];
  entries: PlayerEntry[];
  status: PlayerStatus;
  /** Whether it takes what it is told. */
  isWilling = true;

  constructor(entries: readonly PlayerEntry[], status: Partial<PlayerStatus> = {}) {
    this.entries = [...entries];
    this.status = {
      state: 'play',
      volumePercent: 27,
      isRepeating: false,
      isRandom: true,
      length: entries.length,
      index: entries.length === 0 ? null : 0,
      positionMs: 12_345,
      current: entries[0] ?? null,
      ...status,
    };
  }
}

/** A song, one that is not there, a video, the list that people vote on, and a radio station. */
export const idlePlayer = (secret?: string): IdlePlayer =>
  new IdlePlayer([
    queuedEntry('song', 1, { secret }),
    queuedEntry('song', 999, { secret }),
    queuedEntry('video', 1, { secret }),
    queuedEntry('democratic', 1, { secret }),
    foreignEntry,
  ]);

/** Answers the commands for a player. */
export const withPlayer = (commands: InMemoryCommandClient, player: IdlePlayer = idlePlayer()): InMemoryCommandClient =>
  commands
    .handle(controlPlayer, async ({ data: { action } }) => {
      player.told.push(action);
      return { result: { isAccepted: player.isWilling, status: player.status }, positions: [] };
    })
    .handle(readPlayer, async ({ data: { offset, limit } }) => ({
      result: { status: player.status, entries: player.entries.slice(offset, offset + limit) },
      positions: [],
    }));
