import { randomUUID } from 'node:crypto';
import {
  checkpointReader,
  NatsProjectionWatch,
  rebuildSubject,
  startService,
  type CommandOutcome,
  type Environment,
  type RebuildReport,
  type ServiceDependencies,
  type StartedService,
} from '@continuo/chassis';
import type { CommandDefinition, ReadModel } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { SocialConfig } from '../src/config.js';
import { socialService } from '../src/social.service.js';

/** Time limit for all tables to show a command's events, ms. */
const READABLE_WITHIN_MS = 5000;
const REBUILT_WITHIN_MS = 30_000;

/** Context of commands when a spec gives none. */
const context = { actor: 'user:1', correlationId: 'spec', causationId: 'spec' };

/** Overrides of a spec. */
export interface RunningSocialOptions {
  /** Default: two, so that what goes wrong between replicas goes wrong in every spec. */
  readonly replicas?: number;
  /** Settings beyond those that reach the servers. */
  readonly environment?: Environment;
  /** Takes the lines of all replicas; default: errors are printed. */
  readonly log?: Logger;
}

interface Parts {
  readonly nats: TestNats;
  readonly postgres: TestPostgres;
  readonly replicas: readonly StartedService<SocialConfig>[];
  readonly first: StartedService<SocialConfig>;
}

/** Replicas of the social service over real servers of their own. For tests. */
export class RunningSocial {
  readonly #watch: NatsProjectionWatch;

  private constructor(private readonly parts: Parts) {
    const { nats, db, log } = this.deps;
    this.#watch = new NatsProjectionWatch(nats, checkpointReader(db), log);
  }

  /** Starts the servers, then all replicas at once over the empty log. @throws Error when a replica does not start. */
  static async start({ replicas = 2, environment, log }: RunningSocialOptions = {}): Promise<RunningSocial> {
    const [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
    const env = {
      DATABASE_URL: postgres.url,
      NATS_URL: nats.url,
      CONTINUO_SECRET: 'a secret of at least thirty-two characters',
      LOG_LEVEL: 'error',
      ...environment,
    };
    const start = () => startService(socialService, env, log && { log });
    const [first, ...others] = await Promise.all([start(), ...Array.from({ length: replicas - 1 }, start)]);
    return new RunningSocial({ nats, postgres, first, replicas: [first, ...others] });
  }

  async stop(): Promise<void> {
    await this.#watch.stop();
    await Promise.all(this.parts.replicas.map((replica) => replica.stop()));
    await Promise.all([this.parts.nats.stop(), this.parts.postgres.stop()]);
  }

  /** Dependencies of the first replica. Commands go to whichever replica takes them. */
  get deps(): ServiceDependencies<SocialConfig> {
    return this.parts.first.deps;
  }

  get db(): Kysely<ReadModel> {
    return this.deps.db;
  }

  /**
   * Sends a command and answers when what it did can be read; no positions when it changed nothing.
   * @throws Rejection when it is refused, Error when its events cannot be read within five seconds.
   */
  readonly outcomeOf = async <S extends z.ZodType, R extends z.ZodType>(
    command: CommandDefinition<S, R>,
    data: z.input<S>,
    commandId: string = randomUUID(),
  ): Promise<CommandOutcome<z.output<R>>> => {
    const outcome = await this.deps.commands.send(command, data, context, { commandId, timeoutMs: 20_000 });
    if (!(await this.#watch.waitFor(outcome.positions, READABLE_WITHIN_MS))) {
      throw new Error(`what ${command.subject} did could not be read within ${READABLE_WITHIN_MS} ms`);
    }
    return outcome;
  };

  /** Like {@link outcomeOf}, for the result alone. */
  readonly send = async <S extends z.ZodType, R extends z.ZodType>(
    command: CommandDefinition<S, R>,
    data: z.input<S>,
    commandId?: string,
  ): Promise<z.output<R>> => (await this.outcomeOf(command, data, commandId)).result;

  /** Compares a projection's tables with those of a rebuild. @throws Error when there was no rebuild, or nothing to compare it with. */
  readonly verifyRebuild = async (projection: string): Promise<RebuildReport> => {
    const request = JSON.stringify({ mode: 'verify' });
    const answer = await this.deps.nats.request(rebuildSubject(projection), request, { timeout: REBUILT_WITHIN_MS });
    const { ok, message, report } = answer.json<{ ok: boolean; message?: string; report?: RebuildReport }>();
    if (!ok || !report?.compared) throw new Error(`${projection} was not compared with a rebuild: ${message ?? 'it has no live tables'}`);
    return report;
  };
}
