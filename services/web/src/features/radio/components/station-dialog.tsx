import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, content } from '../../../lib/api.js';
import { catalogsQuery } from '../../../lib/catalogs.js';
import { t } from '../../../messages/index.js';
import { CatalogChoice } from '../../../ui/catalog-choice.js';
import { Dialog } from '../../../ui/dialog.js';
import { Notice } from '../../../ui/states.js';
import { stationsQuery, type Station } from '../queries.js';

/** Codecs of stations, as the API names them. */
const CODECS = ['mp3', 'aac', 'opus', 'ogg', 'vorbis', 'flac', 'alac'] as const;

/** Asks for name and addresses of a station. @param station omitted for a new one */
export const StationDialog = ({ station }: { readonly station?: Station }): ReactNode => {
  const client = useQueryClient();
  const { data: catalogs } = useQuery(catalogsQuery('music'));
  const [terms, setTerms] = useState({
    name: station?.name ?? '',
    url: station?.url ?? '',
    site_url: station?.site_url ?? '',
    codec: station?.codec ?? CODECS[0],
  });
  const [chosen, setChosen] = useState(station?.catalog);
  const catalog = chosen ?? catalogs?.[0]?.id ?? '';
  const title = station ? t.changeStation(station.name) : t.newStation;
  const change = (changed: Partial<typeof terms>): void => setTerms({ ...terms, ...changed });
  const submit = async (): Promise<void> => {
    const body = { ...terms, catalog };
    if (station) await content(api.PATCH('/live-streams/{live_stream_id}', { params: { path: { live_stream_id: station.id } }, body }));
    else await content(api.PUT('/live-streams', { body }));
    await client.invalidateQueries({ queryKey: stationsQuery.queryKey });
  };
  if (catalog === '') return <Dialog title={title}>{<Notice>{catalogs ? t.emptyLibrary : t.loading}</Notice>}</Dialog>;
  return (
    <Dialog title={title} submitLabel={t.save} onSubmit={submit}>
      <label>
        {t.stationName}
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type this */}
        <input required autoFocus maxLength={255} value={terms.name} onChange={({ target }) => change({ name: target.value })} />
      </label>
      <label>
        {t.streamAddress}
        <input type="url" required value={terms.url} onChange={({ target }) => change({ url: target.value })} />
      </label>
      <label>
        {t.codec}
        <select value={terms.codec} onChange={({ target }) => change({ codec: target.value })}>
          {[...new Set([...CODECS, terms.codec])].map((codec) => (
            <option key={codec} value={codec}>
              {codec}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t.websiteAddress}
        <input type="url" value={terms.site_url} onChange={({ target }) => change({ site_url: target.value })} />
      </label>
      <CatalogChoice catalogs={catalogs ?? []} chosen={catalog} onChoose={setChosen} />
    </Dialog>
  );
};
