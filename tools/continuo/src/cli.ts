import type { Access, Session, Settings } from '@continuo/operations';
import type { Api } from './connect/api.js';
import type { Terminal } from './output/terminal.js';

/** Context of every command. */
export interface Cli {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Opens the management API of the server, which may be another machine. @throws OperatorError when no server is known */
  readonly api: () => Promise<Api>;
  /** True when a server was named, and its own servers and data folder were not: its files and folders need not be those of this machine. */
  readonly isElsewhere: boolean;
  /** @throws OperatorError when a server elsewhere was named, for what works beside the data folder only */
  readonly requireBeside: () => void;
  /** Connects, does the work, and closes again whatever happens. */
  readonly withSession: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  /** Finds the data folder or the servers below without connecting to them. @throws OperatorError as `requireBeside`, and when there are none */
  readonly locate: () => Promise<Access>;
  /** Reads the settings from the environment. */
  readonly settings: () => Settings;
  /** Sets the exit code of a command that ran through but found something wrong. */
  readonly fail: () => void;
}
