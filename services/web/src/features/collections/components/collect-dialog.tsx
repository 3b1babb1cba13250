import { useQuery } from '@tanstack/react-query';
import { Boxes } from 'lucide-react';
import type { ReactNode } from 'react';
import { accountQuery } from '../../../lib/account.js';
import { t } from '../../../messages/index.js';
import { announce } from '../../../ui/action.js';
import { ChooseDialog } from '../../../ui/choose-dialog.js';
import type { NamedThing } from '../../songs/index.js';
import { collect, collectionsQuery, type Collection } from '../queries.js';
import { CollectionDialog } from './collection-dialog.js';

/** Chooses the collection that something is put into, or a new one. */
export const CollectDialog = ({ thing }: { readonly thing: NamedThing }): ReactNode => {
  const { data: account } = useQuery(accountQuery);
  const query = useQuery(collectionsQuery);
  const add = async (collection: Collection): Promise<void> => {
    await collect(collection.id, thing);
    announce(t.added(collection.name));
  };
  return (
    <ChooseDialog
      title={t.addNamedToCollection(thing.name)}
      findLabel={t.findCollection}
      icon={Boxes}
      newLabel={t.newCollection}
      newDialog={<CollectionDialog thing={thing} />}
      of={query}
      // A collection that is pinned to a kind takes no other.
      choices={query.data?.filter(({ owner, object_type: kind }) => owner === account?.username && (kind === null || kind === thing.kind))}
      noteOf={({ items }) => t.entryCount(items)}
      onChoose={add}
    />
  );
};
