import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAccess } from '../../../lib/use-access.js';
import { t } from '../../../messages/index.js';
import { Art } from '../../../ui/art.js';
import { openDialog } from '../../../ui/dialogs.js';
import { PillButton } from '../../../ui/pill-button.js';
import { QueryState } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { podcastsQuery } from '../queries.js';
import styles from './podcasts.module.css';
import { SubscribeDialog } from './subscribe-dialog.js';

const ART_PX = 160;

/** All podcasts. */
export const PodcastsView = (): ReactNode => {
  const query = useQuery(podcastsQuery);
  const maySubscribe = useAccess('catalogManager');
  return (
    <View
      title={t.podcasts}
      tools={maySubscribe && <PillButton icon={Plus} label={t.subscribe} onPress={() => openDialog(<SubscribeDialog />)} />}
    >
      <QueryState of={query} emptyText={t.noPodcasts} />
      <ul className={styles['grid']}>
        {query.data?.map(({ id, name, art, has_art: hasArt }) => (
          <li key={id}>
            <Link to="/podcasts/$id" params={{ id }} className={styles['card'] ?? ''}>
              <Art url={art} has={hasArt} px={ART_PX} />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </View>
  );
};
