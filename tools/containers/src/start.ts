import { GenericContainer, StartupCheckStrategy, type StartupStatus } from 'testcontainers';

const MOST_RESTARTS = 5;

type Docker = Parameters<StartupCheckStrategy['checkStartupState']>[0];

/** As compose and the chart run our images: nothing of the root can be written, and what ends is started again. */
export class LockedContainer extends GenericContainer {
  constructor(image: string) {
    super(image);
    this.hostConfig.ReadonlyRootfs = true;
    this.hostConfig.RestartPolicy = { Name: 'unless-stopped' };
  }
}

/** Waits until a container is healthy, however often it says before that it is not. */
class Healthy extends StartupCheckStrategy {
  async checkStartupState(docker: Docker, id: string): Promise<StartupStatus> {
    const { State, RestartCount } = await docker.getContainer(id).inspect();
    if (State.Health?.Status === 'healthy') return 'SUCCESS';
    return RestartCount > MOST_RESTARTS ? 'FAIL' : 'PENDING';
  }
}

/** The strategy for containers with a health check that may be started again meanwhile. */
export const untilHealthy = (): StartupCheckStrategy => new Healthy();

/** Waits for all, then fails with what failed: nothing is under way afterwards that nobody would end. */
export const allOf = async (starts: readonly Promise<void>[]): Promise<void> => {
  const ends = await Promise.allSettled(starts);
  const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
  if (reasons.length > 0) throw new Error(reasons.join('\n'));
};

/** The last lines that a container wrote; it is gone by the time that its start has failed. */
export class LastLogLines {
  readonly #lines: string[] = [];

  /** For the container's start. */
  readonly consume = (stream: NodeJS.ReadableStream): void => {
    stream.on('data', (line: Buffer | string) => {
      this.#lines.push(line.toString().trimEnd().slice(0, 500));
      if (this.#lines.length > 5) this.#lines.shift();
    });
  };

  /** Says of a failed start whose it was, and these lines. */
  readonly of =
    (name: string) =>
    (error: unknown): never => {
      throw new Error([`${name}: ${error instanceof Error ? error.message : String(error)}`, ...this.#lines].join('\n'), { cause: error });
    };
}
