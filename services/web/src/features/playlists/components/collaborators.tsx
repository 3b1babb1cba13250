import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { sentenceOf } from '../../../ui/announcements.js';
import { peopleQuery } from '../../people/index.js';
import { collaboratorsQuery } from '../queries.js';
import styles from './playlists.module.css';

/** Accounts that may add, move and remove the songs of a playlist besides its owner. @param chosen their ids; undefined for those of the list as it is */
export const Collaborators = ({
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
        <label key={id}>
          <span>
            <input
              type="checkbox"
              checked={ids.includes(id)}
              onChange={({ target }) => onChange(target.checked ? [...ids, id] : ids.filter((one) => one !== id))}
            />{' '}
            {username}
          </span>
        </label>
      ))}
    </fieldset>
  );
};
