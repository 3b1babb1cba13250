import { objectTable, rowsOf } from '../../render/index.js';
import { expireDays, type ShareView } from '../../reads/shares.reads.js';
import { epochSeconds, type NativeContext } from './context.js';

/** A share with what only its secret opens. */
export interface NativeShare {
  readonly view: ShareView;
  /** Null when it was sealed under another server secret; its address is lost then. */
  readonly secret: string | null;
  readonly url: string | null;
}

const of = rowsOf<NativeShare, NativeContext>();
const seconds = (atMs: number | null): number => (atMs === null ? 0 : epochSeconds(atMs));
// In XML versions from 5 on have 1 or nothing here (versions.md section 2, note a).
const XML_ONLY = { json: 'none', since: 5 } as const;
const JSON_ONLY = { xml: 'none', since: 5 } as const;
const until4 = { until: 4 } as const;

const allowed = (name: string, get: (share: NativeShare) => boolean) => [
  of.bool(name, get, JSON_ONLY),
  of.scalar(name, (share) => (get(share) ? 1 : ''), XML_ONLY),
  of.bool(name, get, until4),
];

const date = (name: string, get: (share: NativeShare) => number | null) => [
  of.num(name, (share) => seconds(get(share)), { since: 5 }),
  of.num(name, (share) => seconds(get(share)), { until: 4, xml: 'cdata' }),
];

/** versions.md sections 6.1 to 6.4 and 7.1 to 7.4. */
export const shareObject = objectTable<NativeShare, NativeContext>('share', [
  of.id('id', ({ view }) => view.id),
  of.text('name', ({ view }) => view.name),
  of.text('owner', ({ view }) => view.owner, { xmlName: 'user' }),
  ...allowed('allow_stream', ({ view }) => view.allowStream),
  ...allowed('allow_download', ({ view }) => view.allowDownload),
  ...date('creation_date', ({ view }) => view.createdAtMs),
  ...date('lastvisit_date', ({ view }) => view.lastVisitedAtMs),
  of.text('object_type', ({ view }) => view.kind),
  of.word('object_id', ({ view }) => String(view.objectIds[0] ?? '')),
  of.num('expire_days', ({ view }) => expireDays(view)),
  of.num('max_counter', ({ view }) => view.maxVisits),
  of.num('counter', ({ view }) => view.visitCount),
  of.text('secret', ({ secret }) => secret),
  of.text('public_url', ({ url }) => url),
  of.text('description', ({ view }) => view.description),
]);
