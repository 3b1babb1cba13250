import { Plus, type LucideIcon } from 'lucide-react';
import { useState, type ReactElement, type ReactNode } from 'react';
import { perform } from './action.js';
import styles from './choose-dialog.module.css';
import { Dialog } from './dialog.js';
import { closeDialog, openDialog } from './dialogs.js';
import { LinkList, QueryState } from './view.js';

/** Something that can be chosen, such as a playlist. */
interface Choosable {
  readonly id: string;
  readonly name: string;
}

/** Asks which of one's lists something is put into; the first choice makes a new one. */
export const ChooseDialog = <C extends Choosable>({
  title,
  findLabel,
  icon: Icon,
  newLabel,
  newDialog,
  of,
  choices = [],
  noteOf,
  onChoose,
}: {
  readonly title: string;
  readonly findLabel: string;
  readonly icon: LucideIcon;
  readonly newLabel: string;
  readonly newDialog: ReactElement;
  /** The query that the choices come from. */
  readonly of: Parameters<typeof QueryState>[0]['of'];
  readonly choices: readonly C[] | undefined;
  readonly noteOf: (choice: C) => string;
  /** Its errors are announced to the listener. */
  readonly onChoose: (choice: C) => Promise<void>;
}): ReactNode => {
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  const choose = (choice: C): void => {
    closeDialog();
    void perform(() => onChoose(choice));
  };
  return (
    <Dialog title={title}>
      <input
        type="search"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to find a list
        autoFocus
        aria-label={findLabel}
        placeholder={findLabel}
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      <QueryState of={of} />
      <div className={styles['choices']}>
        <LinkList>
          <li>
            <button type="button" onClick={() => openDialog(newDialog)}>
              <Plus size={18} aria-hidden /> {newLabel}
            </button>
          </li>
          {choices
            .filter(({ name }) => name.toLowerCase().includes(wanted))
            .map((choice) => (
              <li key={choice.id}>
                <button type="button" onClick={() => choose(choice)}>
                  <Icon size={18} aria-hidden /> {choice.name}
                </button>
                <span>{noteOf(choice)}</span>
              </li>
            ))}
        </LinkList>
      </div>
    </Dialog>
  );
};
