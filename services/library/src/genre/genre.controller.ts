import { decision, done, HandlesCommand, AGGREGATES, DATABASE, type AggregateRunner, type Handled } from '@continuo/chassis';
import { hideGenre, mergeGenre, Rejection, showGenre, unmergeGenre, type CommandMessage, type GenreId } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import { sql, type Kysely } from 'kysely';
import type { z } from 'zod';
import { CatalogueReadiness } from '../identity/catalogue-readiness.js';
import { GENRES_ID, genresAggregate, type GenresCommand } from './genre.decider.js';

type Nothing = Record<string, never>;
type OneGenre = CommandMessage<z.output<typeof hideGenre.schema>>;

/** Hides and merges genres. */
@Controller()
export class GenreController {
  readonly #aggregates: AggregateRunner;
  readonly #readiness: CatalogueReadiness;
  readonly #db: Kysely<unknown>;

  constructor(
    @Inject(AGGREGATES) aggregates: AggregateRunner,
    @Inject(CatalogueReadiness) readiness: CatalogueReadiness,
    @Inject(DATABASE) db: Kysely<unknown>,
  ) {
    this.#aggregates = aggregates;
    this.#readiness = readiness;
    this.#db = db;
  }

  @HandlesCommand(hideGenre)
  hide(message: OneGenre): Promise<Handled<Nothing>> {
    return this.#decide(message, { type: 'hide', ...message.data });
  }

  @HandlesCommand(showGenre)
  show(message: OneGenre): Promise<Handled<Nothing>> {
    return this.#decide(message, { type: 'show', ...message.data });
  }

  @HandlesCommand(mergeGenre)
  merge(message: CommandMessage<z.output<typeof mergeGenre.schema>>): Promise<Handled<Nothing>> {
    return this.#decide(message, { type: 'merge', ...message.data });
  }

  @HandlesCommand(unmergeGenre)
  unmerge(message: OneGenre): Promise<Handled<Nothing>> {
    return this.#decide(message, { type: 'unmerge', ...message.data });
  }

  async #decide(message: CommandMessage, command: GenresCommand): Promise<Handled<Nothing>> {
    await this.#readiness.ready();
    await this.#refuseUnknown([command.genreId, ...(command.type === 'merge' ? command.intoIds : [])]);
    const outcome = await this.#aggregates.run([decision(genresAggregate, GENRES_ID, command)], { ...message, commandId: message.id });
    return done(outcome);
  }

  /** Genres are never forgotten, so one that the catalogue shows stays known. */
  async #refuseUnknown(ids: readonly GenreId[]): Promise<void> {
    const { rows } = await sql<{ id: number }>`select id from library.genre where id = any(${ids}::bigint[])`.execute(this.#db);
    const known = new Set(rows.map(({ id }) => id));
    const unknown = ids.find((id) => !known.has(id));
    if (unknown !== undefined) throw new Rejection('genre.not-found', undefined, String(unknown));
  }
}
