import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api, content } from '../../../lib/api.js';
import { catalogsQuery } from '../../../lib/catalogs.js';
import { t } from '../../../messages/index.js';
import { CatalogChoice } from '../../../ui/catalog-choice.js';
import { Dialog } from '../../../ui/dialog.js';
import { Failure, Notice } from '../../../ui/states.js';
import { podcastsQuery } from '../queries.js';

/** Asks for the address of a feed and subscribes to it. */
export const SubscribeDialog = (): ReactNode => {
  const client = useQueryClient();
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
    await client.invalidateQueries({ queryKey: podcastsQuery.queryKey });
    await navigate({ to: '/podcasts/$id', params: { id } });
  };
  return (
    <Dialog title={t.subscribeTitle} submitLabel={t.subscribe} onSubmit={submit}>
      <label>
        {t.feedAddress}
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type this */}
        <input type="url" required autoFocus placeholder="https://" value={url} onChange={({ target }) => setUrl(target.value)} />
      </label>
      <CatalogChoice catalogs={catalogs ?? []} chosen={catalog} onChoose={setChosen} />
    </Dialog>
  );
};
