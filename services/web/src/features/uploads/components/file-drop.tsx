import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { announceFailure } from '../../../ui/action.js';
import styles from './file-drop.module.css';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/** Takes files that are dropped anywhere on the page, and says so while they are above it. */
export const FileDrop = (): ReactNode => {
  const navigate = useNavigate();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent): void => void (relatedTarget === null && setOver(false));
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      import('../instance.js')
        .then(({ uploads }) => {
          uploads.add(files);
          return navigate({ to: '/uploads' });
        })
        .catch(announceFailure);
    };
    const end = new AbortController();
    for (const [event, handler] of Object.entries({ dragover: over, dragleave: leave, drop }))
      document.addEventListener(event as 'drop', handler, { signal: end.signal });
    return () => end.abort();
  }, [navigate]);
  return isOver && <p className={styles['drop']}>{t.dropToUpload}</p>;
};
