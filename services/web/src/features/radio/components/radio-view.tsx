import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Globe, Pencil, Plus, Radio, Trash2 } from 'lucide-react';
import { useSyncExternalStore, type ReactNode } from 'react';
import { api, content } from '../../../lib/api.js';
import { useAccess } from '../../../lib/use-access.js';
import { t } from '../../../messages/index.js';
import { announceFailure } from '../../../ui/announcements.js';
import { DeleteDialog } from '../../../ui/delete-dialog.js';
import { openDialog } from '../../../ui/dialogs.js';
import { IconButton } from '../../../ui/icon-button.js';
import { LinkList } from '../../../ui/link-list.js';
import { PillButton } from '../../../ui/pill-button.js';
import { QueryState } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { playStation, programmes } from '../../programmes/index.js';
import { stationsQuery, type Station } from '../queries.js';
import styles from './radio-view.module.css';
import { StationDialog } from './station-dialog.js';

const SMALL_PX = 18;

const StationRow = ({ station, mayChange }: { readonly station: Station; readonly mayChange: boolean }): ReactNode => {
  const { id, name, site_url: site } = station;
  const client = useQueryClient();
  const { programme } = useSyncExternalStore(programmes.subscribe, programmes.state);
  const isCurrent = programme?.kind === 'live_stream' && programme.id === id;
  const remove = async (): Promise<void> => {
    await content(api.DELETE('/live-streams/{live_stream_id}', { params: { path: { live_stream_id: id } } }));
    await client.invalidateQueries({ queryKey: stationsQuery.queryKey });
  };
  return (
    <li>
      <button
        type="button"
        aria-current={isCurrent || undefined}
        className={styles['station']}
        onClick={() => void playStation(station).catch(announceFailure)}
      >
        <Radio size={SMALL_PX} aria-hidden /> {name}
      </button>
      <span className={styles['tools']}>
        {site && (
          <a href={site} target="_blank" rel="noreferrer" aria-label={t.website(name)} title={t.website(name)}>
            <Globe size={SMALL_PX} aria-hidden />
          </a>
        )}
        {mayChange && (
          <>
            <IconButton
              icon={Pencil}
              label={t.changeStation(name)}
              size={SMALL_PX}
              onPress={() => openDialog(<StationDialog station={station} />)}
            />
            <IconButton
              icon={Trash2}
              label={t.deleteStation(name)}
              size={SMALL_PX}
              onPress={() => openDialog(<DeleteDialog title={t.deleteStation(name)} text={t.deletesStation(name)} onDelete={remove} />)}
            />
          </>
        )}
      </span>
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
