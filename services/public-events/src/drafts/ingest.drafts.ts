import type { PublicEventType, ScanEvent } from '@continuo/contracts';
import type { Draft, DraftFamily, Drafting } from '../draft.js';

type Data<T extends ScanEvent['type']> = Extract<ScanEvent, { type: T }>['data'];

const CATALOG_MANAGER = 75;

/** Scans are the business of who manages catalogs. Paths and messages, which may hold paths, are left out. */
const scan = (
  type: PublicEventType,
  { scanId, catalogId }: Data<'ScanStarted' | 'ScanRequested'>,
  data: Draft['data'] = {},
): readonly Draft[] => [
  {
    type,
    object: { kind: 'catalog', id: catalogId },
    data: { scanId, ...data },
    audience: { owners: [], others: { are: 'level', level: CATALOG_MANAGER }, catalogIds: [catalogId] },
  },
];

/** Public forms of scans. */
export const scanFamily: DraftFamily = {
  aggregate: 'scan',
  types: ['scan.requested', 'scan.started', 'scan.progressed', 'scan.finished', 'scan.failed', 'scan.cancelled'],
  drafts: {
    ScanRequested: ((data) => scan('scan.requested', data)) satisfies Drafting<Data<'ScanRequested'>>,
    ScanStarted: ((data) => scan('scan.started', data, { attempt: data.attempt })) satisfies Drafting<Data<'ScanStarted'>>,
    ScanProgressed: ((data) => scan('scan.progressed', data, { counts: data.counts })) satisfies Drafting<Data<'ScanProgressed'>>,
    ScanFinished: ((data) => scan('scan.finished', data, { counts: data.counts, durationMs: data.durationMs })) satisfies Drafting<
      Data<'ScanFinished'>
    >,
    ScanFailed: ((data) => scan('scan.failed', data, { counts: data.counts })) satisfies Drafting<Data<'ScanFailed'>>,
    ScanCancelled: ((data) => scan('scan.cancelled', data, { counts: data.counts })) satisfies Drafting<Data<'ScanCancelled'>>,
  },
};
