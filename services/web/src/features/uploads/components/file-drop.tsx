import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { announceFailure } from '../../../ui/announcements.js';
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
    const handlers = { dragover: over, dragleave: leave, drop } as const;
    for (const [event, handler] of Object.entries(handlers)) document.addEventListener(event as 'drop', handler);
    return () => {
      for (const [event, handler] of Object.entries(handlers)) document.removeEventListener(event as 'drop', handler);
    };
  }, [navigate]);
  return isOver && <p className={styles['drop']}>{t.dropToUpload}</p>;
};
