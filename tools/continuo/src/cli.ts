import type { Session } from './connect/session.js';
import type { Access } from './connect/locate.js';
import type { Settings } from './config.js';
import type { Terminal } from './output/terminal.js';

/** What every command is given. */
export interface Cli {
  readonly terminal: Terminal;
  /** Connects, does the work, and closes again whatever happens. */
  readonly withSession: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  /** Finds the server without connecting to it. */
  readonly locate: () => Promise<Access>;
  /** What the environment says. */
  readonly settings: () => Settings;
  /** Sets the exit code of a command that ran through but found something wrong. */
  readonly fail: () => void;
}
