import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CornerLeftUp, Folder } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { sentenceOf } from '../../../ui/action.js';
import { Dialog } from '../../../ui/dialog.js';
import { answered, manage, type Managed } from '../api.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';

type NewCatalog = Managed['NewCatalog'];

/** Folders of the server below the one at `path`, of which one is opened. */
const Folders = ({
  path,
  onOpen,
}: {
  readonly path: string | undefined;
  readonly onOpen: (path: string | undefined) => void;
}): ReactNode => {
  const { data, error } = useQuery({
    queryKey: ['manage', '/server-folders', path],
    queryFn: () => answered(manage.GET('/server-folders', { params: { query: path === undefined ? {} : { path } } })),
    placeholderData: (before) => before,
  });
  if (error) return <p role="alert">{sentenceOf(error)}</p>;
  if (!data) return <p>{t.loading}</p>;
  const { parent, folders, isCut } = data;
  return (
    <>
      <ul className={styles['folders']} aria-label={m.foldersIn(data.path ?? m.server)}>
        {(parent !== null || path !== undefined) && (
          <li>
            <button type="button" onClick={() => onOpen(parent ?? undefined)}>
              <CornerLeftUp size={16} aria-hidden /> {m.up}
            </button>
          </li>
        )}
        {folders.map((folder) => (
          <li key={folder.path}>
            <button type="button" onClick={() => onOpen(folder.path)}>
              <Folder size={16} aria-hidden /> {folder.name}
            </button>
          </li>
        ))}
      </ul>
      {isCut && <small>{m.moreFolders}</small>}
    </>
  );
};

const lastPart = (path: string): string => path.split('/').findLast((part) => part !== '') ?? '';

const choices = (names: Readonly<Record<string, string>>): ReactNode =>
  Object.entries(names).map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));

/** User name and password at other storage. */
const Credentials = ({
  entered: { username = '', password = '' },
  onChange,
}: {
  readonly entered: NewCatalog;
  readonly onChange: (changes: Partial<NewCatalog>) => void;
}): ReactNode => (
  <>
    <label>
      {m.userName}
      <input type="text" autoComplete="off" value={username} onChange={({ target }) => onChange({ username: target.value })} />
    </label>
    <label>
      {m.password}
      <input type="password" autoComplete="new-password" value={password} onChange={({ target }) => onChange({ password: target.value })} />
    </label>
  </>
);

/** Adds a catalog in a folder of the server, which is looked for here, or in other storage, and scans it. */
export const CatalogDialog = (): ReactNode => {
  const client = useQueryClient();
  const [entered, setEntered] = useState<NewCatalog>({ name: '', path: '', type: 'local', mediaType: 'music' });
  const [opened, setOpened] = useState<string>();
  const { name, path, type, mediaType } = entered;
  const change = (changes: Partial<NewCatalog>): void => setEntered((before) => ({ ...before, ...changes }));
  const open = (folder: string | undefined): void => {
    setOpened(folder);
    // The name follows the folder until somebody writes another.
    change({ path: folder ?? '', ...(name === lastPart(path) ? { name: lastPart(folder ?? '') } : {}) });
  };
  const add = async (): Promise<void> => {
    const { username: _name, password: _secret, ...local } = entered;
    const made = await answered(manage.POST('/catalogs', { body: type === 'local' ? local : entered }));
    await answered(manage.POST('/scans', { body: { catalogId: made.id } }));
    await client.invalidateQueries({ queryKey: ['manage'] });
  };
  return (
    <Dialog title={m.addCatalog} submitLabel={m.add} onSubmit={add}>
      <label>
        {m.type}
        <select value={type} onChange={({ target }) => change({ type: target.value as NonNullable<NewCatalog['type']> })}>
          {choices(m.catalogTypes)}
        </select>
      </label>
      <label>
        {m.path}
        <input
          type="text"
          required
          value={path}
          placeholder={m.pathExamples[type ?? 'local']}
          onChange={({ target }) => change({ path: target.value })}
        />
      </label>
      {type === 'local' && <Folders path={opened} onOpen={open} />}
      <label>
        {m.name}
        <input type="text" required value={name} onChange={({ target }) => change({ name: target.value })} />
      </label>
      <label>
        {m.holds}
        <select value={mediaType} onChange={({ target }) => change({ mediaType: target.value as NonNullable<NewCatalog['mediaType']> })}>
          {choices(m.mediaTypes)}
        </select>
      </label>
      {type !== 'local' && <Credentials entered={entered} onChange={change} />}
    </Dialog>
  );
};
