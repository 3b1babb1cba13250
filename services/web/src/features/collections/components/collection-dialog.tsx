import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { announce } from '../../../ui/announcements.js';
import { Dialog } from '../../../ui/dialog.js';
import { collect, saveCollection, type CollectedKind, type Collection } from '../queries.js';

/** Asks for the name of a collection and who may see it. @param collection omitted for a new one @param thing put into a new one */
export const CollectionDialog = ({
  collection,
  thing,
}: {
  readonly collection?: Pick<Collection, 'id' | 'name' | 'type'>;
  readonly thing?: { readonly kind: CollectedKind; readonly id: string };
}): ReactNode => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState(collection?.name ?? '');
  const [isPublic, setPublic] = useState(collection?.type === 'public');
  const submit = async (): Promise<void> => {
    const id = await saveCollection(client, { name, isPublic }, collection?.id);
    if (collection) return;
    if (!thing) return navigate({ to: '/collections/$id', params: { id } });
    await collect(client, id, thing);
    announce(t.added(name));
  };
  return (
    <Dialog title={collection ? t.changeCollection : t.newCollection} submitLabel={collection ? t.save : t.make} onSubmit={submit}>
      <label>
        {t.collectionName}
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type this */}
        <input required autoFocus maxLength={255} value={name} onChange={({ target }) => setName(target.value)} />
      </label>
      <label>
        <span>
          <input type="checkbox" checked={isPublic} onChange={({ target }) => setPublic(target.checked)} /> {t.isPublic}
        </span>
      </label>
    </Dialog>
  );
};
