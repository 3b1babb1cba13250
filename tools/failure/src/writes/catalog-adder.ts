import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { addCatalog } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import { equal, noneOf, type Finding } from '../checks/finding.js';
import type { RetryingClient } from './retrying-client.js';

interface Added {
  readonly path: string;
  readonly answers: readonly number[];
}

const BETWEEN_MS = 300;

/** Adds catalogs, sending each command again after its answer: a caller that lost the answer would, and must get the same id. */
export class CatalogAdder {
  readonly #client: RetryingClient;
  readonly #root: string;
  readonly #added: Added[] = [];

  constructor(client: RetryingClient, root: string) {
    this.#client = client;
    this.#root = root;
  }

  async run(isOver: () => boolean): Promise<void> {
    for (let number = 1; !isOver(); number += 1) {
      const path = join(this.#root, `catalog ${number}`);
      await mkdir(path, { recursive: true });
      const commandId = randomUUID();
      const answers: number[] = [];
      for (let time = 0; time < 2; time += 1) {
        answers.push((await this.#client.send(addCatalog, { name: `catalog ${number}`, path }, commandId)).catalogId);
      }
      this.#added.push({ path, answers });
      await delay(BETWEEN_MS);
    }
  }

  /** Each acknowledged catalog is there once, under the id that every answer gave. */
  async check(db: Kysely<unknown>): Promise<Finding[]> {
    const prefix = `${this.#root}/`;
    const { rows } = await sql<{ id: number; path: string }>`
      select id, path from library.catalog where starts_with(path, ${prefix})`.execute(db);
    const wrong = this.#added.flatMap(({ path, answers }) => {
      const ids = rows.filter((row) => row.path === path).map((row) => row.id);
      return ids.length === 1 && answers.every((answer) => answer === ids[0])
        ? []
        : [`answered ${answers.join(', ')}, there: ${ids.join(', ')}`];
    });
    return [equal('catalogs: acknowledged = there', rows.length, this.#added.length), noneOf('catalogs: another id than answered', wrong)];
  }
}
