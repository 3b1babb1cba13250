import { Link } from '@tanstack/react-router';
import { Ban, FolderPlus, FolderSearch, Pencil, Plus, Power, RotateCw } from 'lucide-react';
import { useDeferredValue, useState, type ReactNode } from 'react';
import { hoursAndMinutes } from '../../../lib/format.js';
import { announce } from '../../../ui/action.js';
import { openDialog } from '../../../ui/dialogs.js';
import { PillButton } from '../../../ui/buttons.js';
import { answered, manage, type Managed } from '../api.js';
import { CatalogDialog } from '../components/catalog-dialog.js';
import { askFor } from '../components/form-dialog.js';
import { ItemTable, type Column, type RowAction } from '../components/item-table.js';
import { removal } from '../components/removal.js';
import { SettingsTable } from '../components/settings-table.js';
import { useItems } from '../components/use-items.js';
import { useRun } from '../components/use-run.js';
import { WorkState } from '../components/work-state.js';
import { count, when } from '../format.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';
import { paceOf } from '../scan-pace.js';

type Catalog = Managed['Catalog'];
type Group = Managed['CatalogGroup'];
type Scan = Managed['Scan'];

/** Asks for a catalog to be added. */
export const addCatalog = (): void => openDialog(<CatalogDialog />);

/** Choice of a setting's value, as the form has it. */
const choiceOf = (isOn: boolean | null): string => {
  if (isOn === null) return 'server';
  return isOn ? 'on' : 'off';
};
const chosenIn = (choice: string | undefined): boolean | null => (choice === 'server' ? null : choice === 'on');

const scheduleIn = (choice: string, cron = ''): string | null => {
  if (choice === 'server') return null;
  return choice === 'on' ? cron : '';
};

const changeCatalog = ({ id, name, path, type, mediaType, watched, scanSchedule }: Catalog): void =>
  askFor({
    title: m.change(name),
    submitLabel: m.save,
    fields: [
      { name: 'name', label: m.name, value: name, isRequired: true },
      { name: 'path', label: m.path, value: path, isRequired: true, hint: m.pathHint },
      ...(mediaType === 'podcast' || type !== 'local'
        ? []
        : [{ name: 'watched', label: m.watched, options: m.watchChoices, value: choiceOf(watched) }]),
      ...(mediaType === 'podcast'
        ? []
        : [
            {
              name: 'schedule',
              label: m.scanSchedule,
              options: m.scheduleChoices,
              value: choiceOf(scanSchedule === null ? null : scanSchedule !== ''),
            },
            { name: 'cron', label: m.cron, value: scanSchedule || '0 3 * * *', hint: m.cronHint },
          ]),
    ],
    onSubmit: async (entered) => {
      const isWatched = entered['watched'] === undefined ? watched : chosenIn(entered['watched']);
      const schedule = entered['schedule'] === undefined ? scanSchedule : scheduleIn(entered['schedule'], entered['cron']);
      const body = {
        ...(isWatched === watched ? {} : { watched: isWatched }),
        ...(schedule === scanSchedule ? {} : { scanSchedule: schedule }),
        ...(entered['name'] === name ? {} : { name: entered['name'] ?? '' }),
        ...(entered['path'] === path ? {} : { path: entered['path'] ?? '' }),
      };
      if (Object.keys(body).length > 0) await answered(manage.PATCH('/catalogs/{id}', { params: { path: { id } }, body }));
    },
  });

const switchCatalog = ({ id, enabled }: Catalog): Promise<unknown> =>
  answered(manage.PATCH('/catalogs/{id}', { params: { path: { id } }, body: { enabled: !enabled } }));

const CATALOG_ACTIONS: readonly RowAction<Catalog>[] = [
  {
    name: ({ name }) => m.scan(name),
    icon: FolderSearch,
    run: ({ id }) => answered(manage.POST('/scans', { body: { catalogId: id } })),
    isFor: ({ mediaType }) => mediaType !== 'podcast',
  },
  { name: ({ name }) => m.change(name), icon: Pencil, run: changeCatalog },
  { name: ({ name, enabled }) => (enabled ? m.switchOff(name) : m.switchOn(name)), icon: Power, run: switchCatalog },
  removal('/catalogs/{id}', ({ name }) => name, { title: m.deleteCatalog, text: m.deleteCatalogText }),
];

/** Number of songs, videos and episodes of a catalog. */
export const heldBy = ({ songCount, videoCount, episodeCount }: Catalog): string => count(songCount + videoCount + episodeCount);

const CATALOG_COLUMNS: readonly Column<Catalog>[] = [
  { name: m.name, cell: ({ name, enabled }) => (enabled ? name : `${name} (${m.off})`) },
  {
    name: m.type,
    cell: ({ type, mediaType }) => `${m.mediaTypes[mediaType]}, ${(m.catalogTypes as Readonly<Record<string, string>>)[type] ?? type}`,
  },
  { name: m.path, cell: ({ path }) => path },
  {
    name: m.holds,
    isNumber: true,
    cell: heldBy,
  },
  { name: m.lastScan, cell: ({ lastAddAt }) => when(lastAddAt) },
  {
    name: m.leftOut,
    cell: ({ id, name }) => (
      <Link to="/manage/$section/$id" params={{ section: 'libraries', id: String(id) }} aria-label={`${m.show}: ${m.skippedOf(name)}`}>
        {m.show}
      </Link>
    ),
  },
];

const cancelScan = ({ id }: Scan): Promise<unknown> => answered(manage.POST('/scans/{id}/cancel', { params: { path: { id } } }));

/** Rate of a scan, with the time that is left or that it took. */
const Pace = ({ scan }: { readonly scan: Scan }): ReactNode => {
  const pace = paceOf(scan);
  if (!pace) return null;
  const { filesPerS, leftS, tookS } = pace;
  const rate = m.filesPerSecond(count(filesPerS < 10 ? Number(filesPerS.toPrecision(2)) : Math.round(filesPerS)));
  const time = leftS === null ? m.tookTime(hoursAndMinutes(tookS)) : m.timeLeft(hoursAndMinutes(leftS));
  return <div className={styles['dim']}>{`${rate}, ${time}`}</div>;
};

/** Names of the catalogs, by number. */
const useCatalogNames = (): ((id: number) => string) => {
  const catalogs = useItems('/catalogs');
  return (id) => catalogs.find((catalog) => catalog.id === id)?.name ?? String(id);
};

/** Scans with their progress, the latest first. */
export const Scans = (): ReactNode => {
  const nameOf = useCatalogNames();
  const columns: readonly Column<Scan>[] = [
    { name: m.catalog, cell: ({ catalogId }) => nameOf(catalogId) },
    { name: m.mode, cell: ({ mode }) => m.scanModes[mode] },
    {
      name: m.state,
      cell: (scan) => (
        <>
          {/* What a scan has left out is no failure of it; the number of files leads to them. */}
          <WorkState work={scan.state === 'done' ? { ...scan, problem: null } : scan} />
          <Pace scan={scan} />
        </>
      ),
    },
    {
      name: m.changedSongs,
      isNumber: true,
      cell: ({ songsAdded, songsChanged, songsRemoved }) => [songsAdded, songsChanged, songsRemoved].map(count).join(' · '),
    },
    {
      name: m.leftOut,
      isNumber: true,
      cell: ({ catalogId, filesSkipped }) =>
        filesSkipped === 0 ? (
          count(0)
        ) : (
          <Link
            to="/manage/$section/$id"
            params={{ section: 'libraries', id: String(catalogId) }}
            aria-label={`${count(filesSkipped)}: ${m.skippedOf(nameOf(catalogId))}`}
          >
            {count(filesSkipped)}
          </Link>
        ),
    },
    { name: m.since, cell: ({ requestedAt }) => when(requestedAt) },
  ];
  const actions: readonly RowAction<Scan>[] = [
    {
      name: ({ catalogId }) => m.cancelWork(nameOf(catalogId)),
      icon: Ban,
      run: cancelScan,
      isFor: ({ state }) => state === 'queued' || state === 'running',
    },
  ];
  return <ItemTable title={m.scans} list="/scans" columns={columns} keyOf={({ id }) => id} actions={actions} empty={m.noScans} />;
};

const groupForm = (catalogs: readonly Catalog[], group?: Group): void =>
  askFor({
    title: group ? m.change(group.name) : m.addGroup,
    submitLabel: group ? m.save : m.add,
    fields: [
      { name: 'name', label: m.name, value: group?.name ?? '', isRequired: true },
      ...catalogs.map(({ id, name }) => ({
        name: String(id),
        label: name,
        type: 'checkbox' as const,
        value: group?.catalogIds.includes(id) ? 'on' : '',
      })),
    ],
    onSubmit: async (entered) => {
      const body = { name: entered['name'] ?? '', catalogIds: catalogs.map(({ id }) => id).filter((id) => entered[id] === 'on') };
      await (group
        ? answered(manage.PATCH('/catalog-groups/{id}', { params: { path: { id: group.id } }, body }))
        : answered(manage.POST('/catalog-groups', { body })));
    },
  });

const Groups = (): ReactNode => {
  const catalogs = useItems('/catalogs');
  const nameOf = useCatalogNames();
  const actions: readonly RowAction<Group>[] = [
    { name: ({ name }) => m.change(name), icon: Pencil, run: (group) => groupForm(catalogs, group) },
    removal('/catalog-groups/{id}', ({ name }) => name, { title: m.deleteGroup, text: m.deleteGroupText }),
  ];
  return (
    <ItemTable
      title={m.groups}
      list="/catalog-groups"
      columns={[
        { name: m.name, cell: ({ name }) => name },
        { name: m.catalogs, cell: ({ catalogIds }) => catalogIds.map(nameOf).join(', ') || m.none },
      ]}
      keyOf={({ id }) => id}
      actions={actions}
      empty={m.noGroups}
      tools={<PillButton icon={Plus} label={m.addGroup} onPress={() => groupForm(catalogs)} />}
    />
  );
};

const AUTOMATIC: readonly string[] = ['SCAN_SCHEDULE', 'SCAN_SCHEDULE_ZONE', 'SCAN_WATCH'];

/** Catalogs, their scans, what starts those by itself, and the groups that say who sees which. */
export const Libraries = (): ReactNode => (
  <>
    <ItemTable
      title={m.catalogs}
      list="/catalogs"
      columns={CATALOG_COLUMNS}
      keyOf={({ id }) => id}
      actions={CATALOG_ACTIONS}
      empty={m.noCatalogs}
      tools={<PillButton icon={FolderPlus} label={m.addCatalog} onPress={addCatalog} />}
    />
    <Scans />
    <SettingsTable title={m.automaticScans} service="ingestion" isShown={({ name }) => AUTOMATIC.includes(name)} />
    <Groups />
  </>
);

type Skipped = Managed['SkippedFile'];

/** Reads files again that were left out, one after the other; what can be read now, or is gone, leaves the list. */
const readAgain = async (id: number, files: readonly Pick<Skipped, 'path'>[]): Promise<void> => {
  for (const { path } of files) {
    const body = { kind: 'file' as const, path, tasks: ['verify' as const, 'clean' as const] };
    await answered(manage.POST('/catalogs/{id}/path-tasks', { params: { path: { id } }, body }));
  }
  announce(m.wasReadAgain(files.length));
};

/** Files of a catalog that scans left out, with reasons; they can be searched and read again. */
export const SkippedFiles = ({ id }: { readonly id: string }): ReactNode => {
  const nameOf = useCatalogNames();
  const [words, setWords] = useState('');
  const contains = useDeferredValue(words.trim());
  const selection = { path: { id }, query: contains === '' ? {} : { contains } };
  const shown = useItems('/catalogs/{id}/skipped-files', selection);
  const run = useRun();
  return (
    <>
      <p className={styles['text']}>
        <Link to="/manage/$section" params={{ section: 'libraries' }}>
          {m.backToLibraries}
        </Link>
      </p>
      <ItemTable
        title={m.skippedOf(nameOf(Number(id)))}
        list="/catalogs/{id}/skipped-files"
        selection={selection}
        columns={[
          { name: m.path, cell: ({ path }) => path },
          { name: m.reason, cell: ({ reason, message }) => `${reason}: ${message}` },
        ]}
        keyOf={({ path }) => path}
        actions={[{ name: ({ path }) => m.readFileAgain(path), icon: RotateCw, run: (file) => readAgain(Number(id), [file]) }]}
        empty={contains === '' ? m.noneLeftOut : m.noneFound}
        tools={
          <div className={styles['tools']}>
            <input type="search" aria-label={m.find} placeholder={m.find} value={words} onChange={({ target }) => setWords(target.value)} />
            {shown.length > 0 && <PillButton icon={RotateCw} label={m.readShownAgain} onPress={() => run(readAgain(Number(id), shown))} />}
          </div>
        }
      />
    </>
  );
};
