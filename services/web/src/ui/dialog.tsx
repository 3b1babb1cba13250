import { useEffect, useRef, useState, type ReactElement, type ReactNode, type SyntheticEvent } from 'react';
import { t } from '../messages/index.js';
import { sentenceOf } from './action.js';
import { closeDialog, openDialog } from './dialogs.js';
import styles from './dialog.module.css';
import { PillButton } from './buttons.js';

/**
 * A question in front of everything else. It closes after what was submitted has succeeded; a failure is told in it, so that nothing typed is lost.
 * @param onSubmit omitted for dialogs whose content acts by itself; what it resolves with is shown next
 */
export const Dialog = ({
  title,
  submitLabel = t.save,
  isGrave = false,
  onSubmit,
  children,
}: {
  readonly title: string;
  /** `Save` when it is omitted. */
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
  // The browser tells of an end by Escape later than of keys that are pressed after it: they would still be taken for the dialog's.
  const close = (): void => {
    element.current?.close();
    closeDialog();
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!onSubmit || isBusy) return;
    setBusy(true);
    onSubmit()
      .then((next) => openDialog(next ?? undefined), setFailure)
      .finally(() => setBusy(false));
  };
  return (
    <dialog ref={element} className={styles['dialog']} aria-label={title} onCancel={close} onClose={closeDialog}>
      <form onSubmit={submit} aria-busy={isBusy} className={styles['form']}>
        <h2>{title}</h2>
        {children}
        {failure !== undefined && <p role="alert">{sentenceOf(failure)}</p>}
        <div className={styles['buttons']}>
          <PillButton label={onSubmit ? t.cancel : t.close} onPress={close} />
          {onSubmit && <PillButton label={submitLabel} isMain isGrave={isGrave} />}
        </div>
      </form>
    </dialog>
  );
};
