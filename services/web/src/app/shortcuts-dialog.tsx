import { useState, type ReactNode } from 'react';
import { t } from '../messages/index.js';
import { nameOfKey } from '../ui/action.js';
import { Check } from '../ui/fields.js';
import { Dialog } from '../ui/dialog.js';
import { pageActions } from './actions.js';
import styles from './command-palette.module.css';
import { areKeysOn, setKeysOn } from './key-setting.js';

/** Keys of the rows of a list of songs. */
const ROW_KEYS: readonly (readonly [keys: string, name: string])[] = [
  ['↑ ↓', t.keysMove],
  ['Enter', t.play],
  [t.spaceBar, t.keysSelect],
  ['Shift ↑ ↓', t.keysExtend],
  ['Ctrl A', t.keysSelectAll],
  ['0 – 5', t.rating],
  ['Alt ↑ ↓', t.keysReorder],
];

const Keys = ({
  title,
  keys,
}: {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, name: string])[];
}): ReactNode => (
  <section>
    <h3>{title}</h3>
    <dl className={styles['keys']}>
      {keys.map(([key, name]) => (
        <div key={name}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{name}</dd>
        </div>
      ))}
    </dl>
  </section>
);

const NOWHERE = { goTo: () => undefined, panel: undefined, setPanel: () => undefined };

/** All keys that do something. */
export const ShortcutsDialog = (): ReactNode => {
  const [isOn, setOn] = useState(areKeysOn);
  const ofPage = Object.values(pageActions(NOWHERE))
    .flat()
    .flatMap(({ key, name }) => (key === undefined ? [] : [[nameOfKey(key), name] as const]));
  const change = (next: boolean): void => {
    setKeysOn(next);
    setOn(next);
  };
  return (
    <Dialog title={t.shortcuts}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys, too */}
      <div className={styles['scrolls']} tabIndex={0} role="group" aria-label={t.shortcuts}>
        <Keys title={t.keysEverywhere} keys={[['Ctrl K · ⌘ K', t.palette], ...ofPage]} />
        <Keys title={t.keysInLists} keys={ROW_KEYS} />
      </div>
      <Check label={t.singleKeys} isOn={isOn} onChange={change} />
    </Dialog>
  );
};
