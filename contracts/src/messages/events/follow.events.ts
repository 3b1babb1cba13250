import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { userId } from '../ids.js';

const followed = { userId, followedId: userId };

/** From now on the user follows that account. */
export const userFollowed = defineEvent('UserFollowed', z.object(followed));
/** The user follows that account no more. */
export const userUnfollowed = defineEvent('UserUnfollowed', z.object(followed));

export const followEvents = [userFollowed, userUnfollowed] as const;
export type FollowEvent = EventOf<(typeof followEvents)[number]>;
