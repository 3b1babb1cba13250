import { z } from 'zod';
import { defineCommand } from '../define.js';
import { MAX_SHARED_OBJECTS, sharedKind, shareId, shareTerms } from '../events/share.events.js';
import { userId } from '../ids.js';

/**
 * Shares things of one kind under a new secret address and answers its number; the secret is read from the published table. The sender has checked that
 * the account may see the things.
 */
export const createShare = defineCommand(
  'social',
  'create-share',
  shareTerms
    .extend({ userId, kind: sharedKind, objectIds: z.array(z.int().positive()).min(1).max(MAX_SHARED_OBJECTS) })
    .extend({ maxVisits: z.int().min(0).default(0) }),
  z.object({ shareId }),
);

/** Changes the terms of a share; what is not named stays. The sender has checked that the caller may. */
export const changeShare = defineCommand('social', 'change-share', shareTerms.partial().extend({ shareId }), z.object({}));

/** Ends a share for good; ending it again changes nothing. The sender has checked that the caller may. */
export const deleteShare = defineCommand('social', 'delete-share', z.object({ shareId }), z.object({}));

/** Counts a visit. Refused as `share.not-found` when the share is gone, has expired or has had all its visits. */
export const visitShare = defineCommand('social', 'visit-share', z.object({ shareId }), z.object({}));
