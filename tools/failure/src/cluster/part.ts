/** One process of the cluster that can be killed and started again on the same data. */
export interface Part {
  readonly name: string;
  readonly pid: number;
  /** Ends it with SIGKILL and waits until it is gone. */
  kill(): Promise<void>;
  /** Starts it again; returns when the process is there, which for a service is before it takes work. */
  revive(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
}
