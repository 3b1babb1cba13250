import type { LogPosition, MessageContext, ScanId, ScanMode } from '@continuo/contracts';
import type { FolderPlan } from '../folder-plan.js';
import type { ScannedCatalog } from '../known-folders.reads.js';
import type { RecordedWork } from '../scan-tally.js';

/** On which workers say that a scan of theirs has more to do than they can; every other worker listens. */
export const SCAN_OFFER_SUBJECT = 'scan.offers';

/** What a worker offers. It lives as long as it is repeated. */
export interface ScanOffer {
  readonly scanId: ScanId;
  readonly catalog: ScannedCatalog;
  readonly mode: ScanMode;
  readonly context: MessageContext;
  /** Whether the library knows anything of the catalog, so that a new file may be a known one. */
  readonly knowsSomething: boolean;
  /** Where parts are asked for. */
  readonly subject: string;
}

/** What a helper says to the worker of a scan. */
export type HelperMessage =
  | { readonly say: 'give'; readonly helper: string }
  | { readonly say: 'alive'; readonly helper: string; readonly part: string }
  | {
      readonly say: 'done';
      readonly helper: string;
      readonly part: string;
      readonly work: RecordedWork;
      readonly position?: LogPosition | undefined;
    }
  | { readonly say: 'failed'; readonly helper: string; readonly part: string };

/** What it is answered: a part of the work, or whether to go on. */
export interface HelperAnswer {
  readonly part?: string;
  readonly plans?: readonly FolderPlan[];
  readonly goOn: boolean;
}
