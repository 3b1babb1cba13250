import { changeShare, createShare, deleteShare, shareId, type SharedKind, type ShareTerms } from '@continuo/contracts';
import { runAndAwaitReadModel, runCommand } from '../../server/commands.js';
import type { CallerWith } from '../../server/requests/request-context.js';
import { namesByIds } from '../../kinds/names.reads.js';
import { expiryOf, sharesByIds, type ShareView } from './shares.reads.js';
import { mayDownload, defaultShareDays } from './share-policy.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasPreferences } from '../../preferences/preferences.js';
import type { HasClock, HasCommands, HasConfig } from '../../server/needs.js';

type Services = HasCommands & HasConfig & HasReadModel & HasClock & HasPreferences;

/** Caller that creates or changes shares. */
export type Sharer = CallerWith<Services>;

/** Terms of a new share. */
export interface NewShare {
  readonly kind: SharedKind;
  readonly objectIds: readonly number[];
  /** Empty: the name of the shared object. */
  readonly description: string;
  /** Undefined: the server's default lifetime. Null: unlimited. */
  readonly expiresAtMs: number | null | undefined;
}

/** Creates a share; undefined when the caller does not see some of the objects. */
export const share = async (sharer: Sharer, wanted: NewShare): Promise<ShareView | undefined> => {
  const { services, context, viewer } = sharer;
  const objectIds = [...new Set(wanted.objectIds)];
  const names = await namesByIds(services.db, wanted.kind, objectIds, viewer);
  if (names.length < objectIds.length) return undefined;
  const { account } = context.caller;
  const preferences = await services.preferences.current();
  const { expiresAtMs = expiryOf(defaultShareDays(preferences, account.id), services.now()) } = wanted;
  const description = wanted.description === '' ? (names[0]?.name ?? '').slice(0, 2000) : wanted.description;
  const made = await runAndAwaitReadModel(
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

/** Finds a share that the caller may manage: their own, for administrators any. */
export const findManagedShare = async ({ services, viewer }: Sharer, id: number | undefined): Promise<ShareView | undefined> =>
  id === undefined ? undefined : (await sharesByIds(services.db, [id], viewer))[0];

/** Changes a share that the caller may manage; undefined when there is none. */
export const editShare = async (
  sharer: Sharer,
  id: number | undefined,
  changesOf: (share: ShareView) => Partial<ShareTerms>,
): Promise<ShareView | undefined> => {
  const view = await findManagedShare(sharer, id);
  if (!view) return undefined;
  const changes = changesOf(view);
  await runCommand(sharer.services, sharer.context, changeShare, { shareId: shareId.parse(view.id), ...changes });
  return view;
};

/** Deletes a share that the caller may manage; undefined when there is none. */
export const endShare = async (sharer: Sharer, id: number | undefined): Promise<ShareView | undefined> => {
  const view = await findManagedShare(sharer, id);
  if (!view) return undefined;
  await runCommand(sharer.services, sharer.context, deleteShare, { shareId: shareId.parse(view.id) });
  return view;
};
