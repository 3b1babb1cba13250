import type {
  DownloadTable,
  MediaPlaysTable,
  NowPlayingTable,
  PlayEvent,
  PlaysClearedTable,
  PlayTable,
  RecordedEvent,
  SongPlaysTable,
  UserSongPlaysTable,
} from '@continuo/contracts';

/** A skip of a play that came before the batch. */
export interface EarlierSkip extends Omit<PlayTable, 'id' | 'skipped'> {
  /** Place of the skip in the log: the play lies before it. */
  readonly position: number;
}

/** Sum of a batch of events: a song played a thousand times in it is one row to add. */
export interface PlayBatch {
  readonly plays: readonly PlayTable[];
  readonly songs: readonly SongPlaysTable[];
  readonly userSongs: readonly UserSongPlaysTable[];
  readonly earlierSkips: readonly EarlierSkip[];
  readonly media: readonly MediaPlaysTable[];
  readonly downloads: readonly DownloadTable[];
  /** Song that each client plays after the batch. */
  readonly playing: readonly NowPlayingTable[];
  /** Clients that play nothing after it. */
  readonly stopped: readonly Pick<NowPlayingTable, 'user_id' | 'client'>[];
  /** Users whose plays are forgotten with all of this. */
  readonly cleared: readonly PlaysClearedTable[];
}

/** Counts of a song. */
export type Counts = Pick<SongPlaysTable, 'play_count' | 'skip_count' | 'last_played_at_ms' | 'last_skipped_at_ms'>;

const keyOf = ({ user_id, song_id, at_ms, client }: Omit<PlayTable, 'id' | 'skipped'>): string =>
  `${user_id}/${song_id}/${at_ms}/${client}`;

const later = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

const countsOf = ({ skipped, at_ms: at }: PlayTable): Counts =>
  skipped
    ? { play_count: 0, skip_count: 1, last_played_at_ms: null, last_skipped_at_ms: at }
    : { play_count: 1, skip_count: 0, last_played_at_ms: at, last_skipped_at_ms: null };

const addTo = <R extends Counts>(rows: Map<string, R>, key: string, one: R): void => {
  const row = rows.get(key);
  if (!row) {
    rows.set(key, one);
    return;
  }
  row.play_count += one.play_count;
  row.skip_count += one.skip_count;
  row.last_played_at_ms = later(row.last_played_at_ms, one.last_played_at_ms);
  row.last_skipped_at_ms = later(row.last_skipped_at_ms, one.last_skipped_at_ms);
};

type Recorded<E extends PlayEvent> = E extends PlayEvent ? RecordedEvent<E> : never;
type DataOf<T extends PlayEvent['type']> = Extract<PlayEvent, { type: T }>['data'];

/** Reads a batch in log order. */
class BatchReader {
  readonly plays: PlayTable[] = [];
  readonly earlierSkips: EarlierSkip[] = [];
  readonly media = new Map<string, MediaPlaysTable>();
  readonly downloads: DownloadTable[] = [];
  readonly clients = new Map<string, NowPlayingTable | Pick<NowPlayingTable, 'user_id' | 'client'>>();
  private readonly open = new Map<string, PlayTable[]>();

  read(event: Recorded<PlayEvent>): void {
    switch (event.type) {
      case 'SongPlayed':
        return this.played(event.data, event.position);
      case 'SongSkipped':
        return this.skipped(event.data, event.position);
      case 'PlaybackStarted': {
        const { userId, client, objectType, objectId, startedAtMs, playingUntilMs } = event.data;
        return this.playing({
          user_id: userId,
          client,
          object_type: objectType,
          object_id: objectId,
          started_at_ms: startedAtMs,
          expires_at_ms: playingUntilMs,
        });
      }
      case 'PlaybackStopped':
        this.clients.set(`${event.data.userId}/${event.data.client}`, { user_id: event.data.userId, client: event.data.client });
        return;
      case 'MediaPlayed':
        return this.mediaPlayed(event.data);
      case 'MediaDownloaded': {
        const { userId, client, objectType, objectId, downloadedAtMs } = event.data;
        this.downloads.push({
          id: event.position,
          user_id: userId,
          object_type: objectType,
          object_id: objectId,
          at_ms: downloadedAtMs,
          client,
        });
        return;
      }
      case 'PlaysCleared':
        // Ends the batch.
        return;
    }
  }

  private played(data: DataOf<'SongPlayed'>, position: number): void {
    const { userId, songId, playedAtMs, client, playingUntilMs } = data;
    const row: PlayTable = { id: position, user_id: userId, song_id: songId, at_ms: playedAtMs, skipped: false, client };
    this.plays.push(row);
    const key = keyOf(row);
    this.open.set(key, [...(this.open.get(key) ?? []), row]);
    if (playingUntilMs === undefined) return;
    this.playing({
      user_id: userId,
      client,
      object_type: 'song',
      object_id: songId,
      started_at_ms: playedAtMs,
      expires_at_ms: playingUntilMs,
    });
  }

  private mediaPlayed({ userId, client, objectType, objectId, playedAtMs, playingUntilMs }: DataOf<'MediaPlayed'>): void {
    const key = `${userId}/${objectType}/${objectId}`;
    const row = this.media.get(key) ?? {
      object_type: objectType,
      object_id: objectId,
      user_id: userId,
      play_count: 0,
      last_played_at_ms: 0,
    };
    this.media.set(key, row);
    row.play_count += 1;
    row.last_played_at_ms = Math.max(row.last_played_at_ms, playedAtMs);
    if (playingUntilMs === undefined) return;
    const thing = { object_type: objectType, object_id: objectId };
    this.playing({ user_id: userId, client, ...thing, started_at_ms: playedAtMs, expires_at_ms: playingUntilMs });
  }

  private skipped(data: DataOf<'SongSkipped'>, position: number): void {
    const named = { user_id: data.userId, song_id: data.songId, at_ms: data.playedAtMs, client: data.client };
    const play = this.open.get(keyOf(named))?.pop();
    if (play) play.skipped = true;
    else this.earlierSkips.push({ ...named, position });
  }

  private playing(row: NowPlayingTable): void {
    this.clients.set(`${row.user_id}/${row.client}`, row);
  }
}

const playBatch = (events: readonly RecordedEvent[]): PlayBatch => {
  const reader = new BatchReader();
  for (const event of events) reader.read(event as Recorded<PlayEvent>);
  const songs = new Map<string, SongPlaysTable>();
  const userSongs = new Map<string, UserSongPlaysTable>();
  for (const play of reader.plays) {
    addTo(songs, String(play.song_id), { song_id: play.song_id, ...countsOf(play) });
    addTo(userSongs, `${play.user_id}/${play.song_id}`, { user_id: play.user_id, song_id: play.song_id, ...countsOf(play) });
  }
  const clients = [...reader.clients.values()];
  return {
    plays: reader.plays,
    songs: [...songs.values()],
    userSongs: [...userSongs.values()],
    earlierSkips: reader.earlierSkips,
    media: [...reader.media.values()],
    downloads: reader.downloads,
    playing: clients.filter((row) => 'object_id' in row),
    stopped: clients.filter((row) => !('object_id' in row)),
    cleared: events.flatMap((event) =>
      event.type === 'PlaysCleared' ? [{ user_id: (event.data as DataOf<'PlaysCleared'>).userId, position: event.position }] : [],
    ),
  };
};

/** Sums up events; those of other kinds are passed over. What is forgotten ends a batch, so that it takes along what came before it and nothing else. */
export const playBatches = (events: readonly RecordedEvent[]): PlayBatch[] => {
  const ends = events.flatMap(({ type }, index) => (type === 'PlaysCleared' ? [index + 1] : []));
  return [...ends, events.length].flatMap((end, n, all) => {
    const part = events.slice(all[n - 1] ?? 0, end);
    return part.length === 0 ? [] : [playBatch(part)];
  });
};
