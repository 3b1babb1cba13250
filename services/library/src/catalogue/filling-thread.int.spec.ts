import { FillingThread, openDatabase } from '@continuo/chassis';
import type { RecordedEvent } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { history } from '../../test/history.js';
import { RunningLibrary } from '../../test/running-library.js';
import { catalogueFilling } from './catalogue.projection.js';
import { startFillingThread } from './filling-thread.js';

/** Events that are appended at once. */
const AT_ONCE = 50;

/** Compiles queries; nobody connects. */
const nowhere = openDatabase({ url: 'postgres://nowhere', poolSize: 1, applicationName: 'spec' });

/** Events as they are stored. */
const stored = (events: readonly RecordedEvent[], bodyOf = (event: RecordedEvent) => JSON.stringify(event.data)) => {
  const bodies = events.map((event) => Buffer.from(bodyOf(event)));
  return {
    events: events.map(({ data: _, ...envelope }) => envelope),
    bodies: new Uint8Array(Buffer.concat(bodies)),
    lengths: bodies.map(({ byteLength }) => byteLength),
    position: events.at(-1)?.position ?? 0,
    pending: 0,
  };
};

const plain = (queries: readonly { readonly sql: string; readonly parameters: readonly unknown[] }[]) =>
  queries.map(({ sql, parameters }) => ({ sql, parameters }));

describe('the thread that fills tables', () => {
  it('makes the same queries as this one', async () => {
    const thread = new FillingThread(startFillingThread());
    try {
      const [first, second] = [history(3, 200), history(5, 300)];
      const answers = await Promise.all([thread.project(stored(first)), thread.project(stored(second)), thread.project(stored([]))]);
      const expected = [first, second].map((events) => plain(catalogueFilling.project(events, nowhere).map((query) => query.compile())));
      expect(answers.map(plain)).toEqual([...expected, []]);
    } finally {
      await thread.close();
    }
  });

  it('tells of a body that cannot be read, goes on, and ends when it is told to', async () => {
    const thread = new FillingThread(startFillingThread());
    const events = history(3, 20);
    await expect(thread.project(stored(events, () => '{'))).rejects.toThrow(SyntaxError);
    expect(await thread.project(stored(events))).not.toEqual([]);
    const left = thread.project(stored(events));
    await Promise.all([thread.close(), expect(left).rejects.toThrow('ended')]);
    await expect(thread.project(stored(events))).rejects.toThrow('ended');
  });

  it('fills tables that are equal to those that followed the log', async () => {
    const library = await RunningLibrary.start();
    try {
      const events = history(8, 2600).filter(({ type }) => !type.startsWith('Catalog'));
      const unwritten = { context: 'library', aggregate: 'folder', expectedPosition: 0 } as const;
      const meta = { actor: 'system', correlationId: 'c', causationId: 'c' };
      for (let start = 0; start < events.length; start += AT_ONCE) {
        const some = events.slice(start, start + AT_ONCE);
        await library.deps.eventStore.append(
          some.map((event, index) => ({ ...unwritten, id: 1000 + start + index, events: [event] })),
          { ...meta, at: some[0]?.at ?? 0 },
        );
      }
      await library.projected([{ stream: 'EV_LIBRARY', position: await library.logEnd() }]);
      expect(await library.verifyRebuild('library-catalogue')).toEqual([]);
    } finally {
      await library.stop();
    }
  });
});
