import { GenericContainer, StartupCheckStrategy, type StartupStatus } from 'testcontainers';

const MOST_RESTARTS = 5;
const LOG_LINES = 5;
const MOST_CHARACTERS = 3000;

type Docker = Parameters<StartupCheckStrategy['checkStartupState']>[0];

/** As compose and the chart run our images: nothing of the root can be written, and what ends is started again. */
export class LockedContainer extends GenericContainer {
  constructor(image: string) {
    super(image);
    this.hostConfig.ReadonlyRootfs = true;
    this.hostConfig.RestartPolicy = { Name: 'unless-stopped' };
  }
}

/** Waits until a container is healthy, however often it says before that it is not, and remembers what it saw last: a container whose start has failed is gone when that is told. */
export class UntilHealthy extends StartupCheckStrategy {
  #seen = 'it was not looked at';

  async checkStartupState(docker: Docker, id: string): Promise<StartupStatus> {
    const container = docker.getContainer(id);
    const { State, RestartCount } = await container.inspect();
    if (State.Health?.Status === 'healthy') return 'SUCCESS';
    const log = await container.logs({ stdout: true, stderr: true, tail: LOG_LINES });
    // In front of each piece of the log the engine says in a few bytes where it belongs.
    const lines = log.toString().replaceAll(/[^\P{Cc}\n]/gu, '');
    const state = `${State.Status}, started again ${RestartCount} times ${State.Error}`;
    this.#seen = [state, State.Health?.Log.at(-1)?.Output, lines].join('\n').slice(0, MOST_CHARACTERS);
    return RestartCount > MOST_RESTARTS ? 'FAIL' : 'PENDING';
  }

  /** Says of a failed start whose it was, and what was seen. */
  readonly of =
    (name: string) =>
    (error: unknown): never => {
      throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}\n${this.#seen}`, { cause: error });
    };
}

/** Waits for all, then fails with what failed: nothing is under way afterwards that nobody would end. */
export const allOf = async (starts: readonly Promise<void>[]): Promise<void> => {
  const ends = await Promise.allSettled(starts);
  const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
  if (reasons.length > 0) throw new Error(reasons.join('\n'));
};
