import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../../../messages/index.js';
import { announce, sentenceOf } from '../../../ui/action.js';
import { Check, ListTermsFields } from '../../../ui/fields.js';
import type { Playlist, Song } from '../../../lib/api.js';
import { Dialog } from '../../../ui/dialog.js';
import { peopleQuery } from '../../people/index.js';
import { collaboratorsQuery } from '../queries.js';
import { addSongs, changePlaylist, createPlaylist, type PlaylistTerms } from '../editing.js';
import styles from './playlists.module.css';

/** Accounts that may add, move and remove the songs of a playlist besides its owner. @param chosen their ids; undefined for those of the list as it is */
const Collaborators = ({
  listId,
  chosen,
  onChange,
}: {
  readonly listId: string;
  readonly chosen: readonly string[] | undefined;
  readonly onChange: (ids: readonly string[]) => void;
}): ReactNode => {
  const people = useQuery(peopleQuery);
  const present = useQuery(collaboratorsQuery(listId));
  const error = people.error ?? present.error;
  if (error) return <p role="alert">{sentenceOf(error)}</p>;
  if (!people.data || !present.data || people.data.length === 0) return null;
  const ids = chosen ?? present.data;
  return (
    <fieldset className={styles['people']}>
      <legend>{t.collaborators}</legend>
      {people.data.map(({ id, username }) => (
        <Check
          key={id}
          label={username}
          isOn={ids.includes(id)}
          onChange={(isOn) => onChange(isOn ? [...ids, id] : ids.filter((one) => one !== id))}
        />
      ))}
    </fieldset>
  );
};

/** Asks for the name of a playlist, who may see it, and who may change it. @param list omitted for a new one @param songs put into a new one */
export const TermsDialog = ({ list, songs = [] }: { readonly list?: Playlist; readonly songs?: readonly Song[] }): ReactNode => {
  const navigate = useNavigate();
  const [terms, setTerms] = useState<PlaylistTerms>({ name: list?.name ?? '', isPublic: list?.type === 'public' });
  const submit = async (): Promise<void> => {
    if (list) return changePlaylist(list, terms);
    const made = await createPlaylist(terms);
    if (songs.length === 0) return navigate({ to: '/playlists/$id', params: { id: made.id } });
    await addSongs(made.id, songs);
    announce(t.added(terms.name));
  };
  return (
    <Dialog title={list ? t.changePlaylist : t.newPlaylist} submitLabel={list ? t.save : t.make} onSubmit={submit}>
      <ListTermsFields label={t.playlistName} terms={terms} onChange={(changed) => setTerms({ ...terms, ...changed })} />
      {list && (
        <Collaborators listId={list.id} chosen={terms.collaborators} onChange={(collaborators) => setTerms({ ...terms, collaborators })} />
      )}
    </Dialog>
  );
};
