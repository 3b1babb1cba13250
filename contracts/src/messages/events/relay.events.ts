import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { userId } from '../ids.js';
import { epochMs } from '../track.js';
import { sealedForUser } from './user.events.js';

/** Services to which plays are scrobbled, by their protocol; `plugin` is the protocol of the plug-in that the link names as its host. */
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
    /** Position in the log of plays after which plays are scrobbled. */
    afterPosition: z.int().nonnegative(),
    /** Start of the run, epoch ms; plays that began before are not scrobbled. */
    sinceMs: epochMs,
    linkedAtMs: epochMs,
  }),
);
/** The service refused the credentials of the account; nothing is scrobbled until the account is linked again. */
export const relayRefused = defineEvent('RelayRefused', z.object(link));
/** The link was removed; nothing more is scrobbled. */
export const relayUnlinked = defineEvent('RelayUnlinked', z.object(link));

export type RelayEvent = EventOf<typeof relayLinked | typeof relayRefused | typeof relayUnlinked>;
