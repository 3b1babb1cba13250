import { Link } from '@tanstack/react-router';
import { Ban, FolderPlus, FolderSearch, Pencil, Plus, Power, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { openDialog } from '../../../ui/dialogs.js';
import { PillButton } from '../../../ui/pill-button.js';
import { answered, manage, type Managed } from '../api.js';
import { CatalogDialog } from '../components/catalog-dialog.js';
import { askFor, confirm } from '../components/form-dialog.js';
import { ItemTable, type Column, type RowAction } from '../components/item-table.js';
import { useItems } from '../components/use-items.js';
import { WorkState } from '../components/work-state.js';
import { count, when } from '../format.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';

type Catalog = Managed['Catalog'];
type Group = Managed['CatalogGroup'];
type Scan = Managed['Scan'];

/** Asks for a catalog to be added. */
export const addCatalog = (): void => openDialog(<CatalogDialog />);

const changeCatalog = ({ id, name, path }: Catalog): void =>
  askFor({
    title: m.change(name),
    submitLabel: m.save,
    fields: [
      { name: 'name', label: m.name, value: name, isRequired: true },
      { name: 'path', label: m.path, value: path, isRequired: true, hint: m.pathHint },
    ],
    onSubmit: async (entered) => {
      const body = {
        ...(entered['name'] === name ? {} : { name: entered['name'] ?? '' }),
        ...(entered['path'] === path ? {} : { path: entered['path'] ?? '' }),
      };
      if (Object.keys(body).length > 0) await answered(manage.PATCH('/catalogs/{id}', { params: { path: { id } }, body }));
    },
  });

const deleteCatalog = ({ id, name }: Catalog): void =>
  confirm(m.deleteCatalog(name), m.deleteCatalogText, m.remove(name), () =>
    answered(manage.DELETE('/catalogs/{id}', { params: { path: { id } } })),
  );

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
  { name: ({ name }) => m.remove(name), icon: Trash2, run: deleteCatalog },
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
    { name: m.state, cell: (scan) => <WorkState work={scan} /> },
    {
      name: m.changedSongs,
      isNumber: true,
      cell: ({ songsAdded, songsChanged, songsRemoved }) => [songsAdded, songsChanged, songsRemoved].map(count).join(' · '),
    },
    { name: m.leftOut, isNumber: true, cell: ({ filesSkipped }) => count(filesSkipped) },
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
    {
      name: ({ name }) => m.remove(name),
      icon: Trash2,
      run: ({ id, name }) =>
        confirm(m.deleteGroup(name), m.deleteGroupText, m.remove(name), () =>
          answered(manage.DELETE('/catalog-groups/{id}', { params: { path: { id } } })),
        ),
    },
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

/** Catalogs, their scans, and the groups that say who sees which. */
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
    <Groups />
  </>
);

/** Files of a catalog that scans left out, with reasons. */
export const SkippedFiles = ({ id }: { readonly id: string }): ReactNode => {
  const nameOf = useCatalogNames();
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
        selection={{ path: { id } }}
        columns={[
          { name: m.path, cell: ({ path }) => path },
          { name: m.reason, cell: ({ reason, message }) => `${reason}: ${message}` },
        ]}
        keyOf={({ path }) => path}
        empty={m.noneLeftOut}
      />
    </>
  );
};
