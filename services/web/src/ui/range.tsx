import type { ReactNode } from 'react';
import styles from './range.module.css';

/** A bar with a value that is chosen by dragging or by the arrow keys. */
export const Range = ({
  label,
  max,
  step,
  value,
  textOf,
  onInput,
  onCommit,
}: {
  readonly label: string;
  readonly max: number;
  readonly step: number;
  readonly value: number;
  /** Text of a value for screen readers, such as a time. */
  readonly textOf?: (value: number) => string;
  /** Called with each value while it is chosen. */
  readonly onInput: (value: number) => void;
  /** Called when a pointer, a key or the focus leaves the bar, whether or not the value has changed. */
  readonly onCommit?: () => void;
}): ReactNode => (
  <input
    type="range"
    className={styles['range']}
    aria-label={label}
    aria-valuetext={textOf?.(value)}
    min={0}
    max={max}
    step={step}
    value={value}
    style={{ '--part': `${max > 0 ? (value / max) * 100 : 0}%` } as object}
    onChange={({ target }) => onInput(target.valueAsNumber)}
    onPointerUp={onCommit}
    onKeyUp={onCommit}
    onBlur={onCommit}
  />
);
