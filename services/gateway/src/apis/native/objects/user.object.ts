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
const ifFull = <V>({ full }: NativeUser, value: V): V | undefined => (full ? value : undefined);

/** Fields of an account: private ones only for the owner and administrators. */
export const userObject = nativeObject<NativeUser>('user', (of) => [
  of.id('id', ({ view }) => view.id),
  of.text('username', ({ view }) => view.username),
  of.text('auth', (user) => ifFull(user, user.apiKey), { ...since4, nullable: true, optional: true }),
  of.text('email', (user) => ifFull(user, user.view.email), { ...since4, nullable: true, optional: true }),
  of.int('access', (user) => ifFull(user, user.view.access), { since: 5, optional: true }),
  of.text('access', (user) => ifFull(user, String(user.view.access)), { since: 4, until: 4, optional: true }),
  of.word('streamtoken', (user) => ifFull(user, user.streamToken), { since: 6, nullable: true, optional: true }),
  of.bool('fullname_public', (user) => ifFull(user, user.view.fullNamePublic), { since: 5, optional: true }),
  of.text('fullname_public', (user) => ifFull(user, user.view.fullNamePublic ? '1' : ''), { since: 4, until: 4, optional: true }),
  of.text('validation', (user) => ifFull(user, null), { ...since4, nullable: true, optional: true }),
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
  of.text('fullname', ({ view, full }) => (full || view.fullNamePublic ? view.fullName : undefined), {
    since: 8,
    nullable: true,
    optional: true,
  }),
  of.text('fullname', ({ view }) => (view.fullNamePublic ? view.fullName : undefined), {
    until: 6,
    xml: 'none',
    nullable: true,
    optional: true,
  }),
  of.text('fullname', ({ view }) => (view.fullNamePublic ? view.fullName : undefined), {
    until: 3,
    json: 'none',
    nullable: true,
    optional: true,
  }),
  of.text('fullname', ({ view, full }) => (full || view.fullNamePublic ? view.fullName : undefined), {
    since: 4,
    until: 6,
    json: 'none',
    nullable: true,
    optional: true,
  }),
]);

/** An account in lists. */
export const userSummaryObject = nativeObject<Pick<UserView, 'id' | 'username'>>({ kind: 'user', schema: 'user_summary' }, (of) => [
  of.id('id', (user) => user.id),
  of.text('username', (user) => user.username),
]);
