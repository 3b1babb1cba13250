import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CornerLeftUp, Folder } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { sentenceOf } from '../../../ui/action.js';
import { Dialog } from '../../../ui/dialog.js';
import { Choice, Field, type Options } from '../../../ui/fields.js';
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

const catalogTypes = Object.entries(m.catalogTypes) as unknown as Options<NonNullable<NewCatalog['type']>>;
const mediaTypes = Object.entries(m.mediaTypes) as unknown as Options<NonNullable<NewCatalog['mediaType']>>;

const lastPart = (path: string): string => path.split('/').findLast((part) => part !== '') ?? '';

/** User name and password at other storage. */
const Credentials = ({
  entered: { username = '', password = '' },
  onChange,
}: {
  readonly entered: NewCatalog;
  readonly onChange: (changes: Partial<NewCatalog>) => void;
}): ReactNode => (
  <>
    <Field label={m.userName} autoComplete="off" value={username} onChange={(name) => onChange({ username: name })} />
    <Field
      label={m.password}
      type="password"
      autoComplete="new-password"
      value={password}
      onChange={(secret) => onChange({ password: secret })}
    />
  </>
);

/** Adds a catalog in a folder of the server, which is looked for here, or in other storage, and scans it. */
export const CatalogDialog = (): ReactNode => {
  const client = useQueryClient();
  const [entered, setEntered] = useState<NewCatalog>({ name: '', path: '', type: 'local', mediaType: 'music' });
  const [opened, setOpened] = useState<string>();
  const { name, path, type = 'local', mediaType = 'music' } = entered;
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
      <Choice isNamed label={m.type} options={catalogTypes} chosen={type} onChoose={(chosen) => change({ type: chosen })} />
      <Field label={m.path} required value={path} placeholder={m.pathExamples[type]} onChange={(typed) => change({ path: typed })} />
      {type === 'local' && <Folders path={opened} onOpen={open} />}
      <Field label={m.name} required value={name} onChange={(typed) => change({ name: typed })} />
      <Choice isNamed label={m.holds} options={mediaTypes} chosen={mediaType} onChoose={(chosen) => change({ mediaType: chosen })} />
      {type !== 'local' && <Credentials entered={entered} onChange={change} />}
    </Dialog>
  );
};
