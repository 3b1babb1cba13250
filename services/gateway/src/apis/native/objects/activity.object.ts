import type { ActivityView } from '../../../features/people/activity.reads.js';
import type { ShoutView } from '../../../features/people/shouts.reads.js';
import { epochSeconds } from './context.js';
import { nativeObject } from './native-object.js';
import { userSummaryObject } from './user.object.js';

const actor = ({ userId, username }: { readonly userId: number; readonly username: string }) => ({ id: userId, username });

/** An activity by version: version 3 names the account, version 4 lists it. */
export const activityObject = nativeObject<ActivityView>('activity', (of) => [
  of.id('id', ({ id }) => id),
  of.int('date', ({ atMs }) => epochSeconds(atMs)),
  of.text('object_type', ({ objectType }) => objectType),
  of.text('object_id', ({ objectId }) => String(objectId), { xml: 'none' }),
  of.int('object_id', ({ objectId }) => objectId, { json: 'none' }),
  of.text('action', ({ action }) => action),
  of.object('user', userSummaryObject, actor, { since: 5 }),
  of.list('user', userSummaryObject, (view) => [actor(view)], { since: 4, until: 4 }),
  of.text('username', ({ username }) => username, { until: 3 }),
]);

const since6 = { since: 6 } as const;

/** A comment by version. */
export const shoutObject = nativeObject<ShoutView>('shout', (of) => [
  of.id('id', ({ id }) => id),
  of.int('date', ({ atMs }) => epochSeconds(atMs)),
  of.text('text', ({ text }) => text),
  of.text('object_type', ({ objectType }) => objectType, since6),
  of.text('object_id', ({ objectId }) => String(objectId), { since: 8 }),
  of.int('object_id', ({ objectId }) => objectId, { since: 6, until: 6, xml: 'none' }),
  of.text('object_id', ({ objectId }) => String(objectId), { since: 6, until: 6, json: 'none' }),
  of.object('user', userSummaryObject, actor, { since: 4 }),
  of.text('username', ({ username }) => username, { until: 3 }),
]);

/** An account in lists of version 3: its name only. */
export const usernameObject = nativeObject<{ readonly username: string }>('username', (of) => [
  of.text('username', ({ username }) => username, { xml: 'cdata-text' }),
]);
