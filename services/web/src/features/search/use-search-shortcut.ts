import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Id of the search field. */
export const SEARCH_FIELD = 'search-field';

/** Opens the search by Ctrl-K or ⌘K from anywhere. */
export const useSearchShortcut = (): void => {
  const navigate = useNavigate();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      const field = document.querySelector<HTMLInputElement>(`#${SEARCH_FIELD}`);
      if (field) field.select();
      else void navigate({ to: '/search' });
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [navigate]);
};
