import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Pencil, Trash2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { accountQuery } from '../../../lib/account.js';
import { useAccess } from '../../../lib/use-access.js';
import { t } from '../../../messages/index.js';
import { announceFailure } from '../../../ui/announcements.js';
import { DeleteDialog } from '../../../ui/delete-dialog.js';
import { openDialog } from '../../../ui/dialogs.js';
import { IconButton } from '../../../ui/icon-button.js';
import { LinkList } from '../../../ui/link-list.js';
import { Failure, Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { entryOf } from '../entries.js';
import { collectionQuery, deleteCollection, removeEntry } from '../queries.js';
import { CollectionDialog } from './collection-dialog.js';

const SMALL_PX = 18;

/** A collection: things of any kind in the order in which they were put into it. */
export const CollectionView = ({ id }: { readonly id: string }): ReactNode => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: account } = useQuery(accountQuery);
  const isAdministrator = useAccess('administrator');
  const { data, error, refetch } = useQuery(collectionQuery(id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Notice>{t.loading}</Notice>;
  const mayChange = isAdministrator || data.owner === account?.username;
  const remove = async (): Promise<void> => {
    await navigate({ to: '/collections' });
    await deleteCollection(client, id);
  };
  const tools = mayChange && (
    <span>
      <IconButton
        icon={Pencil}
        label={t.changeCollection}
        size={SMALL_PX}
        onPress={() => openDialog(<CollectionDialog collection={data} />)}
      />
      <IconButton
        icon={Trash2}
        label={t.deleteCollection}
        size={SMALL_PX}
        onPress={() => openDialog(<DeleteDialog title={t.deleteCollection} text={t.deletesCollection(data.name)} onDelete={remove} />)}
      />
    </span>
  );
  return (
    <View title={data.name} tools={tools}>
      {data.contents.length === 0 && <Notice>{t.emptyCollection}</Notice>}
      <LinkList>
        {data.contents.map((one) => {
          const entry = entryOf(one);
          return (
            entry && (
              <li key={one.track}>
                <Link to={entry.to}>{entry.name}</Link>
                <span>{entry.by}</span>
                {mayChange && (
                  <IconButton
                    icon={X}
                    label={t.remove(entry.name)}
                    size={SMALL_PX}
                    onPress={() => void removeEntry(client, id, one.track).catch(announceFailure)}
                  />
                )}
              </li>
            )
          );
        })}
      </LinkList>
    </View>
  );
};
