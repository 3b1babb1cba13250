import type { CompatClient } from '../../harness/compat-client.js';
import type { LoadGenerator, LoadResult } from '../../measure/load.js';
import { treePssBytes, withCpu } from '../../measure/memory.js';
import type { LibrarySample, RequestKind } from './requests.js';
import type { Cell } from './table.js';

/** A running server. */
export interface AskedServer {
  readonly url: string;
  readonly pid: number;
  readonly client: CompatClient;
}

/** A server with what it is asked for, and who asks. */
export interface RequestJob {
  readonly server: AskedServer;
  readonly sample: LibrarySample;
  readonly load: LoadGenerator;
  readonly durationMs: number;
}

const AT_ONCE = new Set(['ping', 'getAlbum', 'cover']);
const MANY = 8;
const LEAST_REQUESTS = 20;
/** Code that is run for the first time is not what a server costs later on. */
const WARM_UP = { ms: 1000, atLeast: 50 } as const;

/** Answers that are no documents are checked by their type: errors come as documents, with status 200. */
const checkAnswers = async ({ client }: AskedServer, kind: RequestKind, sample: LibrarySample): Promise<string[]> => {
  const paths: string[] = [];
  for (const parameters of kind.parameters(sample)) {
    const path = client.path(kind.endpoint, parameters);
    if (kind.isBinary) {
      const { status, headers, head } = await client.http.get(path);
      if (status !== 200 || /json|xml/.test(headers['content-type'] ?? '')) throw new Error(`${kind.endpoint} answered ${status}: ${head}`);
    } else await client.call(kind.endpoint, parameters);
    paths.push(path);
  }
  if (paths.length === 0) throw new Error(`there is nothing to ask ${kind.endpoint} for`);
  return paths;
};

/** Measures one kind of request: alone, and eight at once where the table has it. Answers cells by the keys of their rows. */
export const measureKind = async (job: RequestJob, kind: RequestKind): Promise<[string, Cell][]> => {
  const { server, load, durationMs } = job;
  const paths = await checkAnswers(server, kind, job.sample);
  const request = (connections: number, ms: number, atLeast = LEAST_REQUESTS): Promise<LoadResult> =>
    load.run({ url: server.url, paths, connections, durationMs: ms, atLeast });
  const measured = async (connections: number, value: (result: LoadResult) => number): Promise<Cell> => {
    const { result, cpuMs } = await withCpu(server.pid, () => request(connections, durationMs));
    const memoryMb = (await treePssBytes(server.pid)) / 1024 ** 2;
    return { value: value(result), cpuMs: cpuMs / result.count, memoryMb, bytes: result.bytesEach };
  };
  await request(1, Math.min(WARM_UP.ms, durationMs), WARM_UP.atLeast);
  const alone: [string, Cell] = [kind.key, await measured(1, ({ p50 }) => p50)];
  return AT_ONCE.has(kind.key) ? [alone, [`${kind.key} x8`, await measured(MANY, ({ perSecond }) => perSecond)]] : [alone];
};
