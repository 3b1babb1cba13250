/** Message that asks the probe. */
export const PROBE_QUESTION = 'strain';

/** Answer of the probe: maxima since the last question. */
export interface ProbeReading {
  /** Delay of the event loop. */
  readonly delayMs: number;
  /** Processor time that its thread used in one turn. */
  readonly busyMs: number;
}
