import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { openDialog } from '../../../ui/dialogs.js';
import { LinkList } from '../../../ui/link-list.js';
import { PillButton } from '../../../ui/pill-button.js';
import { QueryState } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { collectionsQuery } from '../queries.js';
import { CollectionDialog } from './collection-dialog.js';

/** All collections that may be seen. */
export const CollectionsView = (): ReactNode => {
  const query = useQuery(collectionsQuery);
  return (
    <View title={t.collections} tools={<PillButton icon={Plus} label={t.newCollection} onPress={() => openDialog(<CollectionDialog />)} />}>
      <QueryState of={query} emptyText={t.noCollections} />
      <LinkList>
        {query.data?.map(({ id, name, items }) => (
          <li key={id}>
            <Link to="/collections/$id" params={{ id }}>
              {name}
            </Link>
            <span>{t.entryCount(items)}</span>
          </li>
        ))}
      </LinkList>
    </View>
  );
};
