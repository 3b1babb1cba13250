import { keyedDigest, type ServerSecret, type ServiceDependencies, type UserKeys } from '@continuo/chassis';
import type { RecordedEvent, UserId } from '@continuo/contracts';
import type { KeptLabel } from './bookmark.decider.js';

/** Keeps the labels of bookmarks so that nobody reads them in the log. */
export interface BookmarkLabels {
  /** A label as the log keeps it: sealed under its account's key, and a digest under the server's secret by which equal ones are known. */
  keep(userId: UserId, label: string): Promise<KeptLabel>;
}

/** Labels under the keys of their accounts. */
export const bookmarkLabels = ({ secret, keys }: { readonly secret: ServerSecret; readonly keys: UserKeys }): BookmarkLabels => {
  const digest = keyedDigest(secret, 'bookmark-labels/v1');
  return {
    keep: async (userId, label) => {
      if (label === '') return { labelDigest: '', sealedLabel: '' };
      const sealer = await keys.sealerFor(userId);
      return { labelDigest: digest(`${userId}/${label}`), sealedLabel: sealer.seal(label) };
    },
  };
};

/** The label rides on the event from `prepare` to `project`. */
interface Opened {
  readonly openedLabel?: string;
}

/** The label of an event that {@link openLabel} has gone over; empty for none, and of whoever is forgotten. */
export const labelOf = (event: RecordedEvent): string => (event as Opened).openedLabel ?? '';

/** Opens the label of an event, where it has one. A label that cannot be decrypted is logged and left empty. */
export const openLabel = async (event: RecordedEvent, keys: UserKeys, log: ServiceDependencies['log']): Promise<RecordedEvent> => {
  const { userId, sealedLabel = '' } = event.data as { userId: UserId; sealedLabel?: string };
  if (sealedLabel === '') return event;
  const key = await keys.find(userId);
  if (key.state === 'absent') return event;
  try {
    if (key.state === 'present') return { ...event, openedLabel: key.sealer.open(sealedLabel) } as RecordedEvent;
    log.error({ userId }, 'the key of a bookmark was made under another CONTINUO_SECRET; its label is not shown');
  } catch (err) {
    log.error({ err, userId }, 'failed to decrypt the label of a bookmark');
  }
  return event;
};
