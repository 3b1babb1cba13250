import type { Listen } from '../listen.js';
import { unwanted, type PlannedPlay, type PlayRules } from './relay-plan.js';
import type { FoundSongs, SongFacts } from './relayed-songs.js';

/** Plays that are ready to be sent. */
export interface PreparedPlays {
  readonly listens: readonly Listen[];
  /** The plays of the listens, in their order. */
  readonly told: readonly PlannedPlay[];
  readonly dropped: readonly { readonly play: PlannedPlay; readonly reason: string }[];
  /** The first play whose song is not known yet; nothing behind it is prepared. */
  readonly unknown: PlannedPlay | undefined;
}

const DAY_MS = 86_400_000;

/** Reason why a song cannot be scrobbled; undefined when it can. */
export const nameless = ({ artist, title }: Pick<SongFacts, 'artist' | 'title'>): string | undefined =>
  artist.trim() === '' || title.trim() === '' ? 'without a title or an artist' : undefined;

/** Joins plays with their songs. A song that nobody knows is waited for: as long as the library's tables have not come so far, and for a day at least. */
export const preparePlays = (plays: readonly PlannedPlay[], { songs, knownUpTo }: FoundSongs, rules: PlayRules): PreparedPlays => {
  const listens: Listen[] = [];
  const told: PlannedPlay[] = [];
  const dropped: { play: PlannedPlay; reason: string }[] = [];
  for (const play of plays) {
    const song = songs.get(play.songId);
    const mayCome = play.songId > knownUpTo || play.recordedAtMs > rules.nowMs - DAY_MS;
    if (song === undefined && mayCome) return { listens, told, dropped, unknown: play };
    const reason = song ? (unwanted(play, song.durationMs, rules) ?? nameless(song)) : 'the song is gone';
    if (reason !== undefined) dropped.push({ play, reason });
    else if (song) {
      told.push(play);
      listens.push({ ...song, position: play.position, playedAtMs: play.playedAtMs, client: play.client });
    }
  }
  return { listens, told, dropped, unknown: undefined };
};
