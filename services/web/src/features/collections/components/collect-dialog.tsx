import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Boxes, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { accountQuery } from '../../../lib/account.js';
import { t } from '../../../messages/index.js';
import { announce, announceFailure } from '../../../ui/announcements.js';
import { Dialog } from '../../../ui/dialog.js';
import { closeDialog, openDialog } from '../../../ui/dialogs.js';
import { LinkList } from '../../../ui/link-list.js';
import { Failure, Notice } from '../../../ui/states.js';
import { collect, collectionsQuery, type CollectedKind, type Collection } from '../queries.js';
import { CollectionDialog } from './collection-dialog.js';

const SMALL_PX = 18;

/** Chooses the collection that something is put into, or a new one. */
export const CollectDialog = ({
  thing,
  name,
}: {
  readonly thing: { readonly kind: CollectedKind; readonly id: string };
  readonly name: string;
}): ReactNode => {
  const client = useQueryClient();
  const { data: account } = useQuery(accountQuery);
  const { data, error, refetch } = useQuery(collectionsQuery);
  const add = (collection: Collection): void => {
    closeDialog();
    collect(client, collection.id, thing).then(() => announce(t.added(collection.name)), announceFailure);
  };
  // A collection that is pinned to a kind takes no other.
  const own = data?.filter(({ owner, object_type: kind }) => owner === account?.username && (kind === null || kind === thing.kind));
  return (
    <Dialog title={t.addNamedToCollection(name)}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !own && <Notice>{t.loading}</Notice>}
      <LinkList>
        <li>
          <button type="button" onClick={() => openDialog(<CollectionDialog thing={thing} />)}>
            <Plus size={SMALL_PX} aria-hidden /> {t.newCollection}
          </button>
        </li>
        {own?.map((collection) => (
          <li key={collection.id}>
            <button type="button" onClick={() => add(collection)}>
              <Boxes size={SMALL_PX} aria-hidden /> {collection.name}
            </button>
            <span>{t.entryCount(collection.items)}</span>
          </li>
        ))}
      </LinkList>
    </Dialog>
  );
};
