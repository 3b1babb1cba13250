import { objectTable, rowsOf } from '../../../render/index.js';
import type { ActivityView } from '../../../features/people/activity.reads.js';
import type { ShoutView } from '../../../features/people/shouts.reads.js';
import { epochSeconds, type NativeContext } from './context.js';
import { userSummaryObject } from './user.object.js';

const of = rowsOf<ActivityView, NativeContext>();
const actor = ({ userId, username }: { readonly userId: number; readonly username: string }) => ({ id: userId, username });

/** An activity by version: version 3 names the account, version 4 lists it. */
export const activityObject = objectTable<ActivityView, NativeContext>('activity', [
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

const said = rowsOf<ShoutView, NativeContext>();
const since6 = { since: 6 } as const;

/** A comment by version. */
export const shoutObject = objectTable<ShoutView, NativeContext>('shout', [
  said.id('id', ({ id }) => id),
  said.int('date', ({ atMs }) => epochSeconds(atMs)),
  said.text('text', ({ text }) => text),
  said.text('object_type', ({ objectType }) => objectType, since6),
  said.text('object_id', ({ objectId }) => String(objectId), { since: 8 }),
  said.int('object_id', ({ objectId }) => objectId, { since: 6, until: 6, xml: 'none' }),
  said.text('object_id', ({ objectId }) => String(objectId), { since: 6, until: 6, json: 'none' }),
  said.object('user', userSummaryObject, actor, { since: 4 }),
  said.text('username', ({ username }) => username, { until: 3 }),
]);

const name = rowsOf<{ readonly username: string }, NativeContext>();

/** An account in lists of version 3: its name only. */
export const usernameObject = objectTable<{ readonly username: string }, NativeContext>('username', [
  name.text('username', ({ username }) => username, { xml: 'cdata-text' }),
]);
