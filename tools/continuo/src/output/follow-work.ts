import { setTimeout as delay } from 'node:timers/promises';
import type { ManageTypes } from '@continuo/client';
import { formatCount } from '@continuo/operations';
import { Presets, SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.js';

const POLL_MS = 500;

/** Fields of long work that tell how far it is. */
export interface Work {
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly progress: ManageTypes['schemas']['Progress'] | null;
}

/** Long work to follow. */
export interface Followed<T> {
  /** In front of the progress bar. */
  readonly label: string;
  /** The work as it was when it began. */
  readonly begun: T;
  /** Reads it again. */
  readonly read: () => Promise<T>;
  /** Progress in one line. Where no terminal is, it is printed whenever it has changed; without it nothing is. */
  readonly describe?: (work: T) => string;
  /** False for work whose end nobody knows. */
  readonly hasBar?: boolean;
}

const progressText = ({ progress }: Work): string => {
  if (progress === null) return '';
  const total = progress.total === null ? '' : ` of ${formatCount(progress.total)}`;
  return `${formatCount(progress.done)}${total} ${progress.unit}`;
};

/** Follows long work until its end: with a progress bar on a terminal, with lines elsewhere. @throws what `read` throws */
export const followWork = async <T extends Work>(terminal: Terminal, followed: Followed<T>): Promise<T> => {
  const { label, begun, read, describe, hasBar = true } = followed;
  const format = hasBar ? '{label} [{bar}] {percentage}% | {text}' : '{label} | {text}';
  const bar = new SingleBar(
    { format, stream: terminal.moving, hideCursor: true, clearOnComplete: true, barsize: 24 },
    Presets.shades_classic,
  );
  const isTerminal = terminal.moving.isTTY;
  if (isTerminal) bar.start(1, 0, { label, text: '' });
  let told = '';
  const tell = (work: T): void => {
    if (isTerminal) {
      bar.setTotal(Math.max(1, work.progress?.total ?? 0));
      bar.update(work.progress?.done ?? 0, { text: describe?.(work) ?? progressText(work) });
    } else if (describe && describe(work) !== told) terminal.warn((told = describe(work)));
  };
  try {
    for (let work = begun; ; work = await read()) {
      tell(work);
      if (work.state !== 'queued' && work.state !== 'running') return work;
      await delay(POLL_MS);
    }
  } finally {
    if (isTerminal) bar.stop();
  }
};

/** State of long work for people. */
export const stateText = ({ state }: Pick<Work, 'state'>): string => (state === 'done' ? 'finished' : state);

/** Duration of long work in ms, so far at `nowMs`. */
export const workDurationMs = (
  { startedAt, endedAt }: { readonly startedAt: string; readonly endedAt: string | null },
  nowMs: number,
): number => Math.max(0, (endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt));
