/** Something running that can be asked to finish: it stops taking, completes what it has, and releases. */
export interface Running {
  stop(): Promise<void>;
}
