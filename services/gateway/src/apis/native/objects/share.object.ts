import { expireDays, type ShareView } from '../../../features/share/shares.reads.js';
import { epochSeconds } from './context.js';
import { nativeObject, nativeRows } from './native-object.js';

/** A share with its decrypted secret. */
export interface NativeShare {
  readonly view: ShareView;
  /** Null when it was sealed under another server secret; the address is lost then. */
  readonly secret: string | null;
  readonly url: string | null;
}

const of = nativeRows<NativeShare>();
const seconds = (atMs: number | null): number => (atMs === null ? 0 : epochSeconds(atMs));
// XML from version 5 on has 1 or empty here.
const XML_ONLY = { json: 'none', since: 5 } as const;
const JSON_ONLY = { xml: 'none', since: 5 } as const;
const until4 = { until: 4 } as const;

const allowed = (name: string, get: (share: NativeShare) => boolean) => [
  of.bool(name, get, JSON_ONLY),
  of.scalar(name, (share) => (get(share) ? 1 : ''), XML_ONLY),
  of.bool(name, get, until4),
];

const date = (name: string, get: (share: NativeShare) => number | null) => [
  of.int(name, (share) => seconds(get(share)), { since: 5 }),
  of.int(name, (share) => seconds(get(share)), { until: 4, xml: 'cdata' }),
];

/** Fields of a share by version. */
export const shareObject = nativeObject<NativeShare>('share', [
  of.id('id', ({ view }) => view.id),
  of.text('name', ({ view }) => view.name),
  of.text('owner', ({ view }) => view.owner, { xmlName: 'user' }),
  ...allowed('allow_stream', ({ view }) => view.allowStream),
  ...allowed('allow_download', ({ view }) => view.allowDownload),
  ...date('creation_date', ({ view }) => view.createdAtMs),
  ...date('lastvisit_date', ({ view }) => view.lastVisitedAtMs),
  of.text('object_type', ({ view }) => view.kind),
  of.word('object_id', ({ view }) => String(view.objectIds[0] ?? '')),
  of.int('expire_days', ({ view }) => expireDays(view)),
  of.int('max_counter', ({ view }) => view.maxVisits),
  of.int('counter', ({ view }) => view.visitCount),
  of.text('secret', ({ secret }) => secret, { nullable: true }),
  of.text('public_url', ({ url }) => url, { nullable: true }),
  of.text('description', ({ view }) => view.description),
]);
