import { useState, type ReactNode } from 'react';
import { clock } from '../lib/format.js';
import { t } from '../messages/index.js';
import styles from './sound-bar.module.css';
import { Art } from './art.js';

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

const ART_PX = 56;

/** Slider of the position; a thumb that is dragged seeks when it is let go. */
export const SeekBar = ({
  positionS,
  durationS,
  onSeek,
}: {
  readonly positionS: number;
  readonly durationS: number;
  readonly onSeek: (positionS: number) => void;
}): ReactNode => {
  const [draggedS, setDraggedS] = useState<number>();
  const shownS = Math.min(draggedS ?? positionS, durationS);
  const seek = (): void => {
    if (draggedS !== undefined) onSeek(draggedS);
    setDraggedS(undefined);
  };
  return (
    <div className={styles['position']}>
      <span className={styles['time']}>{clock(shownS)}</span>
      <Range label={t.position} max={Math.max(1, durationS)} step={1} value={shownS} textOf={clock} onInput={setDraggedS} onCommit={seek} />
      <span className={styles['time']}>{clock(durationS)}</span>
    </div>
  );
};

/** The bar at the bottom: what is heard, and what steers it. */
export const SoundBar = ({
  art,
  names,
  mark,
  buttons,
  position,
  tools,
  volume,
  onVolume,
}: {
  /** Address of the cover; undefined for a sign in its place. Nothing stands there while `names` is absent. */
  readonly art: string | undefined;
  readonly names: ReactNode;
  /** Beside the names. */
  readonly mark?: ReactNode;
  readonly buttons: ReactNode;
  readonly position: ReactNode;
  readonly tools: ReactNode;
  /** 0 to 1 */
  readonly volume: number;
  readonly onVolume: (volume: number) => void;
}): ReactNode => (
  <section className={styles['bar']} aria-label={t.player}>
    <div className={styles['current']}>
      {names && (
        <>
          <span className={styles['art']}>
            <Art url={art ?? ''} has={art !== undefined} px={ART_PX} />
          </span>
          <span className={styles['names']}>{names}</span>
          {mark}
        </>
      )}
    </div>
    {/* Time runs from left to right in every language, and so do the signs of players. */}
    <div className={styles['middle']} dir="ltr">
      <div className={styles['buttons']}>{buttons}</div>
      {position}
    </div>
    <div className={styles['end']}>
      {tools}
      <div className={styles['volume']}>
        <Range label={t.volume} max={1} step={0.05} value={volume} onInput={onVolume} />
      </div>
    </div>
  </section>
);
