import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { viewOf } from '../../../lib/address.js';
import { t } from '../../../messages/index.js';
import { openDialog } from '../../../ui/dialogs.js';
import { Links, QueryState, View } from '../../../ui/view.js';
import { PillButton } from '../../../ui/buttons.js';
import { collectionsQuery } from '../queries.js';
import { CollectionDialog } from './collection-dialog.js';

/** All collections that may be seen. */
export const CollectionsView = (): ReactNode => {
  const query = useQuery(collectionsQuery);
  return (
    <View title={t.collections} tools={<PillButton icon={Plus} label={t.newCollection} onPress={() => openDialog(<CollectionDialog />)} />}>
      <QueryState of={query} emptyText={t.noCollections} />
      <Links of={query.data?.map(({ id, name, items }) => ({ to: viewOf('collections', id), name, note: t.entryCount(items) }))} />
    </View>
  );
};
