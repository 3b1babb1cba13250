import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { announce } from '../../../ui/announcements.js';
import { Dialog } from '../../../ui/dialog.js';
import { ListTermsFields } from '../../../ui/list-terms-fields.js';
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
  const [terms, setTerms] = useState({ name: collection?.name ?? '', isPublic: collection?.type === 'public' });
  const submit = async (): Promise<void> => {
    const id = await saveCollection(client, terms, collection?.id);
    if (collection) return;
    if (!thing) return navigate({ to: '/collections/$id', params: { id } });
    await collect(client, id, thing);
    announce(t.added(terms.name));
  };
  return (
    <Dialog title={collection ? t.changeCollection : t.newCollection} submitLabel={collection ? t.save : t.make} onSubmit={submit}>
      <ListTermsFields label={t.collectionName} terms={terms} onChange={setTerms} />
    </Dialog>
  );
};
