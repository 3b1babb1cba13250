import { useEffect, useRef, useState, type ReactElement, type ReactNode, type SyntheticEvent } from 'react';
import { t } from '../messages/index.js';
import { sentenceOf } from './announcements.js';
import { closeDialog, openDialog } from './dialogs.js';
import styles from './dialog.module.css';

/**
 * A question in front of everything else. It closes after what was submitted has succeeded; a failure is told in it, so that nothing typed is lost.
 * @param onSubmit omitted for dialogs whose content acts by itself; what it resolves with is shown next
 */
export const Dialog = ({
  title,
  submitLabel,
  isGrave = false,
  onSubmit,
  children,
}: {
  readonly title: string;
  readonly submitLabel?: string;
  /** For what cannot be undone. */
  readonly isGrave?: boolean;
  readonly onSubmit?: () => Promise<ReactElement | void>;
  readonly children?: ReactNode;
}): ReactNode => {
  const element = useRef<HTMLDialogElement>(null);
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => element.current?.showModal(), []);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!onSubmit || isBusy) return;
    setBusy(true);
    onSubmit()
      .then((next) => openDialog(next ?? undefined), setFailure)
      .finally(() => setBusy(false));
  };
  return (
    <dialog ref={element} className={styles['dialog']} aria-label={title} onClose={closeDialog}>
      <form onSubmit={submit} className={styles['form']}>
        <h2>{title}</h2>
        {children}
        {failure !== undefined && <p role="alert">{sentenceOf(failure)}</p>}
        <div className={styles['buttons']}>
          <button type="button" className={styles['button']} onClick={() => element.current?.close()}>
            {onSubmit ? t.cancel : t.close}
          </button>
          {onSubmit && (
            <button type="submit" className={styles['button']} data-main={isGrave ? 'grave' : ''} aria-disabled={isBusy}>
              {submitLabel}
            </button>
          )}
        </div>
      </form>
    </dialog>
  );
};
