import {
  beginLastfmLink,
  describeRelays,
  linkLastfm,
  linkListenBrainz,
  recordPlays,
  startPlayback,
  type RelayService,
  type SongId,
  type UserId,
} from '@continuo/contracts';
import type { RunningRelay } from './running-relay.js';

/** An account, and what it is called at a service. */
export interface LinkedAccount {
  readonly user: UserId;
  readonly name: string;
}

/** Actions of people on a running relay, for specs. */
export const relayPeople = (running: () => RunningRelay) => {
  const withListenBrainz = async (more: { readonly address?: string } = {}): Promise<LinkedAccount> => {
    const relay = running();
    const user = await relay.account();
    const name = `ada-${user}`;
    relay.listenBrainz.tokens.set(`token-of-${name}`, name);
    await relay.send(linkListenBrainz, { userId: user, token: `token-of-${name}`, ...more });
    return { user, name };
  };
  const withLastfm = async (of?: UserId): Promise<LinkedAccount> => {
    const relay = running();
    const user = of ?? (await relay.account());
    const name = `bob-${user}`;
    const { token } = await relay.send(beginLastfmLink, { userId: user });
    relay.lastfm.tokens.set(token, name);
    await relay.send(linkLastfm, { userId: user, token });
    return { user, name };
  };
  const record = (user: UserId, ...plays: readonly (readonly [SongId, number])[]) =>
    running().send(recordPlays, {
      userId: user,
      client: 'spec player',
      plays: plays.map(([songId, playedAtMs]) => ({ songId, playedAtMs })),
    });
  /** A play under way, which waits for some two and a half seconds. */
  const begin = (user: UserId, songId: SongId, startedAtMs = Date.now()) =>
    running().send(startPlayback, {
      userId: user,
      client: 'spec player',
      objectType: 'song',
      objectId: songId,
      startedAtMs,
      durationMs: 1000,
      isNow: true,
      play: { skipWindowMs: 400 },
    });
  const outcomes = async (user: UserId, service: RelayService = 'listenbrainz') => {
    const rows = await running()
      .db.selectFrom('playback.relayed_play')
      .select(['song_id', 'outcome', 'reason'])
      .where('user_id', '=', user)
      .where('service', '=', service)
      .orderBy('position')
      .execute();
    return rows.map(({ song_id: song, outcome, reason }) => [song, outcome, reason] as const);
  };
  const linkOf = async (user: UserId, service: RelayService = 'listenbrainz') =>
    (await running().send(describeRelays, { userId: user })).links.find((link) => link.service === service);
  return { withListenBrainz, withLastfm, record, begin, outcomes, linkOf };
};
