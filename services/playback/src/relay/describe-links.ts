import { openSealed } from '@continuo/chassis';
import { userId as asUserId, type describeRelays, type RelayService, type UserId } from '@continuo/contracts';
import type { z } from 'zod';
import type { RelayDependencies } from './relay-dependencies.js';

type Description = z.input<typeof describeRelays.result>;

const offersOf = async ({ settings, plugins }: Pick<RelayDependencies, 'settings' | 'plugins'>): Promise<Description['offers']> => [
  { service: 'listenbrainz', host: new URL(settings.listenBrainzUrl).host, ownAddress: settings.ownAddresses },
  ...(settings.lastfm ? [{ service: 'lastfm' as const, host: new URL(settings.lastfm.url).host, ownAddress: false }] : []),
  ...(await plugins.host())
    .having('scrobbler', 'scrobble')
    .map(({ name, manifest: { title } }) => ({ service: 'plugin' as const, host: name, ownAddress: false, title })),
];

const ORDER: Readonly<Record<RelayService, number>> = { listenbrainz: 0, lastfm: 1, plugin: 2 };

/** Describes the links of an account and the services it can be linked with; without credentials. */
export const describeLinks = async (tools: RelayDependencies, userId: UserId): Promise<Description> => {
  const key = await tools.keys.find(asUserId.parse(userId));
  const rows = await tools.db
    .selectFrom('playback.relay_link as l')
    .leftJoin('playback.relay_progress as p', (join) =>
      join.onRef('p.user_id', '=', 'l.user_id').onRef('p.service', '=', 'l.service').onRef('p.run', '=', 'l.run'),
    )
    .select(['l.service', 'l.host', 'l.sealed_name', 'l.enabled', 'l.linked_at_ms', 'p.attempts', 'p.fault', 'p.next_at_ms'])
    .select(['p.taken', 'p.last_taken_at_ms'])
    .where('l.user_id', '=', userId)
    .execute();
  const links = rows.map((row) => {
    const isWaiting = (row.attempts ?? 0) > 0;
    return {
      service: row.service,
      host: row.host,
      name: (key.state === 'present' ? openSealed(key.sealer, row.sealed_name) : undefined) ?? '',
      state: row.enabled ? (isWaiting ? ('waiting' as const) : ('on' as const)) : ('refused' as const),
      linkedAtMs: row.linked_at_ms,
      taken: row.taken ?? 0,
      lastTakenAtMs: row.last_taken_at_ms,
      fault: row.fault,
      nextTryAtMs: isWaiting ? row.next_at_ms : null,
    };
  });
  return { links: links.toSorted((one, other) => ORDER[one.service] - ORDER[other.service]), offers: await offersOf(tools) };
};
