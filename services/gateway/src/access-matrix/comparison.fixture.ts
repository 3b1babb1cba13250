import { HIDDEN, type NotedCommands } from './two-catalogs.fixture.js';
import { testAccounts, type TestGateway } from '../testkit/test-gateway.js';
import type { TestReadModel } from '../testkit/read-model-database.js';

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

/** What came of a call. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Where the answer sends. */
  readonly location: string | undefined;
  readonly commands: unknown[];
}

/** Who compares what with what. */
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
      const [here, there] = await Promise.all(sides().map((side) => ask(side, path, params, token)));
      const [hidden, plain] = [JSON.stringify(here), JSON.stringify(there)];
      const asked = Object.values(params).some((value) => value.includes(word));
      const shows = !asked && hidden.includes(word);
      if (hidden !== plain || shows) differences.push({ path, params, shows, ...excerpts(hidden, plain) });
    }
    return differences;
  };
