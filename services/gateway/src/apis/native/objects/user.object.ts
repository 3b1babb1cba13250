import type { UserView } from '../../../reads/people/users.reads.js';
import { epochSeconds } from './context.js';
import { nativeObject } from './native-object.js';

/** An account as visible to the caller. */
export interface NativeUser {
  readonly view: UserView;
  /** True for the caller's own account and for administrators. */
  readonly full: boolean;
  readonly apiKey: string | null;
  readonly streamToken: string | null;
  /** Epoch milliseconds; null when unknown. */
  readonly lastSeenAtMs: number | null;
}

const since4 = { since: 4 } as const;
const perhaps = { nullable: true, optional: true } as const;
const ifFull = <V>({ full }: NativeUser, value: V): V | undefined => (full ? value : undefined);
const publicName = ({ view }: NativeUser): string | null | undefined => (view.fullNamePublic ? view.fullName : undefined);
const shownName = (user: NativeUser): string | null | undefined => (user.full ? user.view.fullName : publicName(user));

/** Fields of an account: private ones only for the owner and administrators. */
export const userObject = nativeObject<NativeUser>('user', (of) => [
  of.id('id', ({ view }) => view.id),
  of.text('username', ({ view }) => view.username),
  of.text('auth', (user) => ifFull(user, user.apiKey), { ...since4, ...perhaps }),
  of.text('email', (user) => ifFull(user, user.view.email), { ...since4, ...perhaps }),
  of.int('access', (user) => ifFull(user, user.view.access), { since: 5, optional: true }),
  of.text('access', (user) => ifFull(user, String(user.view.access)), { since: 4, until: 4, optional: true }),
  of.word('streamtoken', (user) => ifFull(user, user.streamToken), { since: 6, ...perhaps }),
  of.bool('fullname_public', (user) => ifFull(user, user.view.fullNamePublic), { since: 5, optional: true }),
  of.text('fullname_public', (user) => ifFull(user, user.view.fullNamePublic ? '1' : ''), { since: 4, until: 4, optional: true }),
  of.text('validation', (user) => ifFull(user, null), { ...since4, ...perhaps }),
  of.bool('disabled', (user) => ifFull(user, user.view.disabled), { since: 5, optional: true }),
  of.text('disabled', (user) => ifFull(user, user.view.disabled ? '1' : ''), { since: 4, until: 4, optional: true }),
  of.int('create_date', ({ view }) => epochSeconds(view.createdAtMs)),
  of.int('last_seen', ({ lastSeenAtMs }) => (lastSeenAtMs === null ? 0 : epochSeconds(lastSeenAtMs))),
  of.text('link', ({ view }, { links }) => links.user(view.id), { since: 8 }),
  of.text('link', ({ view }, { links }) => links.user(view.id), { since: 4, until: 6, json: 'none' }),
  of.text('website', ({ view }) => view.website, { nullable: true }),
  of.text('state', ({ view }) => view.state, { nullable: true }),
  of.text('city', ({ view }) => view.city, { nullable: true }),
  of.text('art', ({ view }, { links }) => links.art('user', view.id), { since: 6 }),
  of.bool('has_art', ({ view }) => view.avatarHash !== null, { since: 6, xml: 'none' }),
  // 1 or empty in XML.
  of.int('has_art', ({ view }) => (view.avatarHash === null ? null : 1), { since: 6, json: 'none', nullable: true }),
  of.text('fullname', shownName, { since: 8, ...perhaps }),
  of.text('fullname', publicName, { until: 6, xml: 'none', ...perhaps }),
  of.text('fullname', publicName, { until: 3, json: 'none', ...perhaps }),
  of.text('fullname', shownName, { since: 4, until: 6, json: 'none', ...perhaps }),
]);

/** An account in lists. */
export const userSummaryObject = nativeObject<Pick<UserView, 'id' | 'username'>>({ kind: 'user', schema: 'user_summary' }, (of) => [
  of.id('id', (user) => user.id),
  of.text('username', (user) => user.username),
]);
