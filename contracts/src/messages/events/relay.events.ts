import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { userId } from '../ids.js';
import { epochMs } from '../track.js';
import { sealedForUser } from './user.events.js';

/** Services elsewhere that are told what an account plays, by the protocol that they speak; `plugin` is whatever the plug-in speaks that the link names as its host. */
export const relayServices = ['listenbrainz', 'lastfm', 'plugin'] as const;
export const relayService = z.enum(relayServices);
export type RelayService = (typeof relayServices)[number];

const link = { userId, service: relayService };

/**
 * From now on a service elsewhere is told what the account plays. What proves the account there, and what it is called there, are sealed under the account's
 * key. `run` counts how often the account began anew with this service: what it was told of is remembered by run, so that the same run goes on where it was.
 */
export const relayLinked = defineEvent(
  'RelayLinked',
  z.object({
    ...link,
    run: z.int().positive(),
    /** Where requests go, for lists. */
    host: z.string(),
    /** Address that the account gave; null: the server's own choice. */
    sealedAddress: sealedForUser.nullable(),
    sealedCredential: sealedForUser,
    /** Name of the account there. */
    sealedName: sealedForUser,
    /** Place in the log of plays behind which plays are told. */
    afterPosition: z.int().nonnegative(),
    /** Plays that began before are not told: when the run began. */
    sinceMs: epochMs,
    linkedAtMs: epochMs,
  }),
);
/** The service does not take what proves the account any more; nothing is told until the account is linked again. */
export const relayRefused = defineEvent('RelayRefused', z.object(link));
/** The service is told nothing more. */
export const relayUnlinked = defineEvent('RelayUnlinked', z.object(link));

export const relayEvents = [relayLinked, relayRefused, relayUnlinked] as const;
export type RelayEvent = EventOf<(typeof relayEvents)[number]>;
