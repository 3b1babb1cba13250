import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Globe, Pencil, Plus, Radio } from 'lucide-react';
import { api, content } from '../../../lib/api.js';
import { catalogsQuery } from '../../../lib/catalogs.js';
import { reload } from '../../../lib/client.js';
import { t } from '../../../messages/index.js';
import { CatalogChoice, Choice, Field } from '../../../ui/fields.js';
import { Dialog } from '../../../ui/dialog.js';
import { LinkList, Notice, QueryState, Tools, View } from '../../../ui/view.js';
import { useAccess } from '../../../lib/account.js';
import { perform } from '../../../ui/action.js';
import { DeleteButton } from '../../../ui/delete-button.js';
import { openDialog } from '../../../ui/dialogs.js';
import { IconButton, PillButton } from '../../../ui/buttons.js';
import { playStation, useProgrammes } from '../../programmes/index.js';
import { stationsQuery, type Station } from '../queries.js';
import styles from './radio-view.module.css';

/** Codecs of stations, as the API names them. */
const CODECS = ['mp3', 'aac', 'opus', 'ogg', 'vorbis', 'flac', 'alac'] as const;

/** Asks for name and addresses of a station. @param station omitted for a new one */
const StationDialog = ({ station }: { readonly station?: Station }): ReactNode => {
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
    await reload(stationsQuery.queryKey);
  };
  if (catalog === '') return <Dialog title={title}>{<Notice>{catalogs ? t.emptyLibrary : t.loading}</Notice>}</Dialog>;
  return (
    <Dialog title={title} onSubmit={submit}>
      <Field label={t.stationName} required isFirst maxLength={255} value={terms.name} onChange={(name) => change({ name })} />
      <Field label={t.streamAddress} type="url" required value={terms.url} onChange={(url) => change({ url })} />
      <Choice
        isNamed
        label={t.codec}
        options={[...new Set([...CODECS, terms.codec])].map((codec) => [codec, codec])}
        chosen={terms.codec}
        onChoose={(codec) => change({ codec })}
      />
      <Field label={t.websiteAddress} type="url" value={terms.site_url} onChange={(site) => change({ site_url: site })} />
      <CatalogChoice catalogs={catalogs ?? []} chosen={catalog} onChoose={setChosen} />
    </Dialog>
  );
};

const StationRow = ({ station, mayChange }: { readonly station: Station; readonly mayChange: boolean }): ReactNode => {
  const { id, name, site_url: site } = station;
  const { programme } = useProgrammes();
  const isCurrent = programme?.kind === 'live_stream' && programme.id === id;
  const remove = async (): Promise<void> => {
    await content(api.DELETE('/live-streams/{live_stream_id}', { params: { path: { live_stream_id: id } } }));
    await reload(stationsQuery.queryKey);
  };
  return (
    <li>
      <button type="button" aria-current={isCurrent || undefined} onClick={() => void perform(() => playStation(station))}>
        <Radio size={18} aria-hidden /> {name}
      </button>
      <Tools>
        {site && (
          <a className={styles['site']} href={site} target="_blank" rel="noreferrer" aria-label={t.website(name)} title={t.website(name)}>
            <Globe size={18} aria-hidden />
          </a>
        )}
        {mayChange && (
          <>
            <IconButton icon={Pencil} label={t.changeStation(name)} onPress={() => openDialog(<StationDialog station={station} />)} />
            <DeleteButton label={t.deleteStation(name)} text={t.deletesStation(name)} onDelete={remove} />
          </>
        )}
      </Tools>
    </li>
  );
};

/** All radio stations. */
export const RadioView = (): ReactNode => {
  const query = useQuery(stationsQuery);
  const mayChange = useAccess('contentManager');
  return (
    <View
      title={t.radio}
      tools={mayChange && <PillButton icon={Plus} label={t.newStation} onPress={() => openDialog(<StationDialog />)} />}
    >
      <QueryState of={query} emptyText={t.noStations} />
      <LinkList>
        {query.data?.map((station) => (
          <StationRow key={station.id} station={station} mayChange={mayChange} />
        ))}
      </LinkList>
    </View>
  );
};
