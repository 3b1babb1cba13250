import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Share } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { DeleteButton } from '../../../ui/delete-button.js';
import { openDialog } from '../../../ui/dialogs.js';
import { IconButton } from '../../../ui/buttons.js';
import { QueryState, Tools, View } from '../../../ui/view.js';
import { deleteShare, endOf, sharesQuery } from '../queries.js';
import { Address } from './address.js';
import { ShareDialog } from './share-dialog.js';
import styles from './shares.module.css';

const ShareRow = ({ share }: { readonly share: Share }): ReactNode => {
  const { id, name, owner, counter, description } = share;
  const end = endOf(share);
  return (
    <li>
      <div className={styles['facts']}>
        <strong>{name}</strong>
        <small>
          {owner} · {t.visitCount(counter)} · {end ? t.endsOn(end) : t.endsNever}
        </small>
        {description && <small>{description}</small>}
      </div>
      <Address url={share.public_url} name={name} />
      <Tools>
        <IconButton icon={Pencil} label={t.changeShare(name)} onPress={() => openDialog(<ShareDialog share={share} />)} />
        <DeleteButton label={t.deleteShare(name)} text={t.deletesShare} onDelete={() => deleteShare(id)} />
      </Tools>
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
