import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { announce } from '../../../ui/action.js';
import { Dialog } from '../../../ui/dialog.js';
import { ListTermsFields } from '../../../ui/fields.js';
import type { NamedThing } from '../../songs/index.js';
import { collect, saveCollection, type Collection } from '../queries.js';

/** Asks for the name of a collection and who may see it. @param collection omitted for a new one @param thing put into a new one */
export const CollectionDialog = ({
  collection,
  thing,
}: {
  readonly collection?: Pick<Collection, 'id' | 'name' | 'type'>;
  readonly thing?: NamedThing;
}): ReactNode => {
  const navigate = useNavigate();
  const [terms, setTerms] = useState({ name: collection?.name ?? '', isPublic: collection?.type === 'public' });
  const submit = async (): Promise<void> => {
    const id = await saveCollection(terms, collection?.id);
    if (collection) return;
    if (!thing) return navigate({ to: '/collections/$id', params: { id } });
    await collect(id, thing);
    announce(t.added(terms.name));
  };
  return (
    <Dialog title={collection ? t.changeCollection : t.newCollection} submitLabel={collection ? t.save : t.make} onSubmit={submit}>
      <ListTermsFields label={t.collectionName} terms={terms} onChange={setTerms} />
    </Dialog>
  );
};
