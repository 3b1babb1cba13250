import { z } from 'zod';
import { defineCommand } from '../define.js';
import { relayService } from '../events/relay.events.js';
import { userId } from '../ids.js';
import { epochMs } from '../track.js';

/** Credential of an account elsewhere; nothing that breaks an HTTP header line. */
const credential = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,512}$/, { error: 'must be 1 to 512 letters, digits and signs without blanks' });

/**
 * Links an account with a server that speaks the protocol of ListenBrainz, once that server says that it knows the token. `address` is that of another server than
 * the operator's choice. Refused as `input.invalid` for a token that is not known there or an address that cannot be used, as `feature.disabled` where addresses
 * of people's own are off, as `unavailable` when the server there does not answer.
 */
export const linkListenBrainz = defineCommand(
  'playback',
  'link-listenbrainz',
  z.object({ userId, token: credential, address: z.string().trim().max(2048).optional() }),
  z.object({ name: z.string() }),
);

/**
 * Begins to link an account with Last.fm: answers a token, and where its owner allows this server to use it. Refused as `feature.disabled` where the operator has
 * set no key, as `unavailable` when Last.fm does not answer.
 */
export const beginLastfmLink = defineCommand(
  'playback',
  'begin-lastfm-link',
  z.object({ userId }),
  z.object({ token: z.string(), allowUrl: z.string() }),
);

/** Links an account with Last.fm, once the token was allowed there. Refused as `input.invalid` when it was not, or too late. */
export const linkLastfm = defineCommand('playback', 'link-lastfm', z.object({ userId, token: credential }), z.object({ name: z.string() }));

/**
 * Links an account with the service of a plug-in, once the plug-in says that it knows the secret. Refused as `input.invalid` for a secret that is not known there or a
 * plug-in that is not in use, as `unavailable` when it does not answer.
 */
export const linkPluginRelay = defineCommand(
  'playback',
  'link-plugin-relay',
  z.object({ userId, plugin: z.string().max(40), secret: credential }),
  z.object({ name: z.string() }),
);

/** Tells a service nothing more of what an account plays; nothing when it is not linked. */
export const unlinkRelay = defineCommand('playback', 'unlink-relay', z.object({ userId, service: relayService }), z.object({}));

/** Tries what waits for a service at once, however long it should wait; nothing when it is not linked. */
export const retryRelayNow = defineCommand('playback', 'hurry-relay', z.object({ userId, service: relayService }), z.object({}));

/** State of a link: working, waiting because the service did not accept something, or ended by the service. */
export const relayState = z.enum(['on', 'waiting', 'refused']);

/** Lists the links of an account, and the services that it can be linked with. A query, not a change. */
export const describeRelays = defineCommand(
  'playback',
  'describe-relays',
  z.object({ userId }),
  z.object({
    links: z.array(
      z.object({
        service: relayService,
        host: z.string(),
        /** Name of the account there. */
        name: z.string(),
        state: relayState,
        linkedAtMs: epochMs,
        /** Plays that were taken, and when the latest was. */
        taken: z.int().nonnegative(),
        lastTakenAtMs: epochMs.nullable(),
        /** Why the latest try failed; null when it did not. */
        fault: z.string().nullable(),
        nextTryAtMs: epochMs.nullable(),
      }),
    ),
    offers: z.array(
      z.object({
        service: relayService,
        host: z.string(),
        /** Whether the account may name a server of its own. */
        ownAddress: z.boolean(),
        /** Of a plug-in, whose name is the host. */
        title: z.string().optional(),
      }),
    ),
  }),
);
