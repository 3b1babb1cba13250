import { changeShare, createShare, deleteShare, shareId, type SharedKind, type ShareTerms } from '@continuo/contracts';
import { makeShown, runCommand } from '../commands.js';
import type { CallerContext } from '../http/request-context.js';
import { namesByIds } from '../reads/names.reads.js';
import { expiryOf, sharesByIds, type ShareView } from '../reads/shares.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';
import { mayDownload, usualDays } from './share-policy.js';

/** Who shares, and with what. */
export interface Sharer {
  readonly services: GatewayServices;
  readonly context: CallerContext;
  readonly viewer: Viewer;
}

/** What is to be shared, and on which terms. */
export interface NewShare {
  readonly kind: SharedKind;
  readonly objectIds: readonly number[];
  /** The name of the thing when empty. */
  readonly description: string;
  /** Undefined: so many days as the server's settings say. Null: never. */
  readonly expiresAtMs: number | null | undefined;
}

/** Shares what the sharer may see; undefined when some of it is not there for them. */
export const share = async (sharer: Sharer, wanted: NewShare): Promise<ShareView | undefined> => {
  const { services, context, viewer } = sharer;
  const objectIds = [...new Set(wanted.objectIds)];
  const names = await namesByIds(services.db, wanted.kind, objectIds, viewer);
  if (names.length < objectIds.length) return undefined;
  const { account } = context.caller;
  const preferences = await services.preferences.current();
  const { expiresAtMs = expiryOf(usualDays(preferences, account.id), services.now()) } = wanted;
  const description = wanted.description === '' ? (names[0]?.name ?? '').slice(0, 2000) : wanted.description;
  const made = await makeShown(
    services,
    context,
    { command: createShare },
    {
      userId: account.id,
      kind: wanted.kind,
      objectIds,
      description,
      allowStream: true,
      allowDownload: mayDownload(preferences, account),
      expiresAtMs,
    },
  );
  const [view] = await sharesByIds(services.db, [made.shareId], viewer);
  return view;
};

/** A share that the caller may manage: an own one, for administrators any. */
export const managedShare = async ({ services, viewer }: Sharer, id: number | undefined): Promise<ShareView | undefined> =>
  id === undefined ? undefined : (await sharesByIds(services.db, [id], viewer))[0];

/** Changes a share that the caller may manage; undefined when there is none. */
export const editShare = async (
  sharer: Sharer,
  id: number | undefined,
  changesOf: (share: ShareView) => Partial<ShareTerms>,
): Promise<ShareView | undefined> => {
  const view = await managedShare(sharer, id);
  if (!view) return undefined;
  const changes = changesOf(view);
  await runCommand(sharer.services, sharer.context, changeShare, { shareId: shareId.parse(view.id), ...changes });
  return view;
};

/** Ends a share that the caller may manage; undefined when there is none. */
export const endShare = async (sharer: Sharer, id: number | undefined): Promise<ShareView | undefined> => {
  const view = await managedShare(sharer, id);
  if (!view) return undefined;
  await runCommand(sharer.services, sharer.context, deleteShare, { shareId: shareId.parse(view.id) });
  return view;
};
