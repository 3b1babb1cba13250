import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Share } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { DeleteDialog } from '../../../ui/delete-dialog.js';
import { openDialog } from '../../../ui/dialogs.js';
import { IconButton } from '../../../ui/icon-button.js';
import { QueryState } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { deleteShare, endOf, sharesQuery } from '../queries.js';
import { Address } from './address.js';
import { ShareDialog } from './share-dialog.js';
import styles from './shares.module.css';

const ShareRow = ({ share }: { readonly share: Share }): ReactNode => {
  const client = useQueryClient();
  const { id, name, owner, counter, description } = share;
  const end = endOf(share);
  return (
    <li>
      <div className={styles['facts']}>
        <strong>{name}</strong>
        <span className={styles['dim']}>
          {owner} · {t.visitCount(counter)} · {end ? t.endsOn(end) : t.endsNever}
        </span>
        {description && <span className={styles['dim']}>{description}</span>}
      </div>
      <Address url={share.public_url} name={name} />
      <span className={styles['tools']}>
        <IconButton icon={Pencil} label={t.changeShare(name)} size={18} onPress={() => openDialog(<ShareDialog share={share} />)} />
        <IconButton
          icon={Trash2}
          label={t.deleteShare(name)}
          size={18}
          onPress={() =>
            openDialog(<DeleteDialog title={t.deleteShare(name)} text={t.deletesShare} onDelete={() => deleteShare(client, id)} />)
          }
        />
      </span>
    </li>
  );
};

/** Shares of the account; of all accounts for administrators. */
export const SharesView = (): ReactNode => {
  const query = useQuery(sharesQuery);
  return (
    <View title={t.shares}>
      <QueryState of={query} emptyText={t.noShares} />
      <ul className={styles['list']}>
        {query.data?.map((share) => (
          <ShareRow key={share.id} share={share} />
        ))}
      </ul>
    </View>
  );
};
