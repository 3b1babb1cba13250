import { setTimeout as delay } from 'node:timers/promises';
import { HIDDEN, type NotedCommands } from './two-catalogs.fixture.js';
import { testAccounts, type TestGateway } from '../servers/test-gateway.js';
import type { TestReadModel } from '../servers/read-model-database.js';

/** A gateway over a library of its own. */
export interface Side {
  readonly model: TestReadModel;
  readonly gateway: TestGateway;
  readonly commands: NotedCommands;
}

/** Parameters of a call. */
export type Params = Readonly<Record<string, string>>;

/** A call that two gateways answered otherwise, or whose answer shows what nobody may see. */
export interface Difference {
  readonly path: string;
  readonly params: Params;
  /** Whether the word stands in the answer. */
  readonly shows: boolean;
  readonly hiding: string;
  readonly without: string;
}

/** Answer of a call. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Redirect target of the answer. */
  readonly location: string | undefined;
  readonly commands: unknown[];
}

/** Caller, calls and both servers of a comparison. */
export interface Comparison {
  /** The gateway that has something to hide, and one that has not. */
  readonly sides: () => readonly [Side, Side];
  readonly token?: string;
  /** Stands in everything that is hidden, and nowhere else. */
  readonly word?: string;
}

/** Asks one side. */
export const ask = async ({ gateway, commands }: Side, path: string, params: Params, token: string): Promise<Answer> => {
  const {
    statusCode: status,
    body,
    headers,
  } = await gateway.app.inject({
    url: `${path}?${new URLSearchParams(params).toString()}`,
    headers: { authorization: `Bearer ${token}` },
  });
  return { status, body, location: headers.location, commands: commands.take() };
};

const LATE_MS = 3000;
const LOOK_MS = 10;

/** Plays are told of without the listener waiting for it: where answers are the same and one side has told less, takes what comes a moment later. */
const lateCommands = async (sides: readonly Side[], answers: readonly Answer[]): Promise<void> => {
  const distinct = (part: (answer: Answer) => unknown): number => new Set(answers.map((answer) => JSON.stringify(part(answer)))).size;
  if (distinct(({ commands: _, ...answer }) => answer) > 1) return;
  for (
    const until = performance.now() + LATE_MS;
    distinct(({ commands }) => commands.length) > 1 && performance.now() < until;
    await delay(LOOK_MS)
  )
    for (const [index, side] of sides.entries()) answers[index]?.commands.push(...side.commands.take());
};

/** An episode that both sides have. */
const LAST_PLAYED: Params = { v: '1.16.1', c: 'spec', f: 'json', id: 'pe-2' };

/** Makes the same thing the last one that each side has played, whatever it picked by chance before: what is played again at once is not told again. */
export const playLast = async (sides: readonly Side[], token: string): Promise<void> => {
  const answers = await Promise.all(sides.map((side) => ask(side, '/rest/stream', LAST_PLAYED, token)));
  for (const { status } of answers) if (status !== 302) throw new Error(`the episode is answered with ${status}`);
  await lateCommands(sides, answers);
};

const EXCERPT = 120;
/** A little of both answers, around the place from which on they differ. */
const excerpts = (here: string, there: string): { readonly hiding: string; readonly without: string } => {
  const at = Array.from(here).findIndex((character, index) => character !== there[index]);
  const from = Math.max(0, (at === -1 ? here.length : at) - EXCERPT);
  return { hiding: here.slice(from, from + 2 * EXCERPT), without: there.slice(from, from + 2 * EXCERPT) };
};

/** Makes every call to both sides and says where they differ, or where what is hidden shows through. */
export const comparing =
  ({ sides, token = testAccounts.admin.token, word = HIDDEN }: Comparison) =>
  async (path: string, calls: readonly Params[]): Promise<Difference[]> => {
    const differences: Difference[] = [];
    for (const params of calls) {
      const answers = await Promise.all(sides().map((side) => ask(side, path, params, token)));
      await lateCommands(sides(), answers);
      const [hidden = '', plain = ''] = answers.map((answer) => JSON.stringify(answer));
      const asked = Object.values(params).some((value) => value.includes(word));
      const shows = !asked && hidden.includes(word);
      if (hidden !== plain || shows) differences.push({ path, params, shows, ...excerpts(hidden, plain) });
    }
    return differences;
  };
