import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Plus } from 'lucide-react';
import { api, content } from '../../../lib/api.js';
import { catalogsQuery } from '../../../lib/catalogs.js';
import { reload } from '../../../lib/client.js';
import { t } from '../../../messages/index.js';
import { CatalogChoice, Field } from '../../../ui/fields.js';
import { Dialog } from '../../../ui/dialog.js';
import { Failure, Notice, QueryState, View } from '../../../ui/view.js';
import { viewOf } from '../../../lib/address.js';
import { useAccess } from '../../../lib/account.js';
import { Art } from '../../../ui/art.js';
import { openDialog } from '../../../ui/dialogs.js';
import { PillButton } from '../../../ui/buttons.js';
import { podcastsQuery } from '../queries.js';
import styles from './podcasts.module.css';

/** Asks for the address of a feed and subscribes to it. */
const SubscribeDialog = (): ReactNode => {
  const navigate = useNavigate();
  const { data: catalogs, error } = useQuery(catalogsQuery('podcast'));
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<string>();
  const catalog = chosen ?? catalogs?.[0]?.id;
  if (catalog === undefined)
    return (
      <Dialog title={t.subscribeTitle}>
        {error ? <Failure error={error} /> : <Notice>{catalogs ? t.noPodcastCatalog : t.loading}</Notice>}
      </Dialog>
    );
  const submit = async (): Promise<void> => {
    const { id } = await content(api.PUT('/podcasts', { body: { catalog, url: url.trim() } }));
    await reload(podcastsQuery.queryKey);
    await navigate({ to: '/podcasts/$id', params: { id } });
  };
  return (
    <Dialog title={t.subscribeTitle} submitLabel={t.subscribe} onSubmit={submit}>
      <Field label={t.feedAddress} type="url" required isFirst placeholder="https://" value={url} onChange={setUrl} />
      <CatalogChoice catalogs={catalogs ?? []} chosen={catalog} onChoose={setChosen} />
    </Dialog>
  );
};

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
            <Link to={viewOf('podcasts', id)} className={styles['card'] ?? ''}>
              <Art url={art} has={hasArt} px={ART_PX} />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </View>
  );
};
