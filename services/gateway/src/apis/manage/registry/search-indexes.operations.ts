import type { SearchIndexState } from '@continuo/operations';
import { z } from 'zod';
import type { HasLongWork, WorkRecord } from '../../../features/operations/long-work.js';
import type { HasOperations } from '../../../features/operations/operations.js';
import { messageContext } from '../../../server/requests/request-context.js';
import { cutPage, pageByText, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operate, required } from '../operate.js';
import { operationsUsing } from '../operation.js';
import { ManageProblem } from '../problems.js';
import { namePath, word } from '../schemas/ids.js';
import { shownWork, workFields } from '../schemas/work.js';

type Services = HasOperations & HasLongWork;
const { operation } = operationsUsing<Services>();

const searchIndex = z
  .object({
    name: z.string(),
    state: z.enum(['absent', 'starting', 'standby', 'rebuilding', 'following']).meta({
      description: '`absent`: nobody keeps it, as Meilisearch without `MEILI_URL`; `following`: it is up to date',
    }),
    position: z.int().nullable().meta({ description: 'Position of the log up to which it is filled' }),
    fault: z.string().nullable(),
  })
  .meta({ id: 'SearchIndex' });

const states = ['starting', 'standby', 'rebuilding', 'following'] as const;

const shown = ({ index, kept }: SearchIndexState): z.output<typeof searchIndex> => ({
  name: index,
  state: kept === undefined ? 'absent' : (states.find((one) => one === kept.role) ?? 'starting'),
  position: kept?.position ?? null,
  fault: kept?.fault ?? null,
});

const stateOf = ({ operations }: HasOperations, name: string): Promise<z.output<typeof searchIndex>> =>
  operate({ operations }, async ({ library, session }) => {
    const all = await library.searchIndexStates(session);
    return shown(
      required(
        all.find(({ index }) => index === name),
        `search index ${name}`,
      ),
    );
  });

const rebuild = z.object({ ...workFields, index: z.string() }).meta({ id: 'SearchIndexRebuild' });
const shownRebuild = (record: WorkRecord): z.output<typeof rebuild> => ({ ...shownWork(record), index: record.subject });

const KIND = 'search-index-rebuild';
/** Work that is looked through for that of one index; there are few of both. */
const MOST_LISTED = 1000;
const rebuildPath = z.strictObject({ name: word, id: word });

const rebuilds = {
  listSearchIndexRebuilds: operation({
    method: 'GET',
    path: '/search-indexes/{name}/rebuilds',
    family: 'search-indexes',
    access: 'read',
    summary: 'Lists rebuilds of a search index of the last thirty days, the latest first',
    params: namePath,
    query: pageQuery,
    answer: pageOf(rebuild),
    run: async ({ params, query, services }) => {
      await stateOf(services, params.name);
      const all = await services.longWork.list(KIND, { before: readCursor(word, query.cursor), limit: MOST_LISTED });
      const records = all.filter(({ subject }) => subject === params.name).slice(0, rowsOfPage(query));
      const page = cutPage(records, query, ({ id }) => id);
      return { ...page, items: page.items.map(shownRebuild) };
    },
  }),
  getSearchIndexRebuild: operation({
    method: 'GET',
    path: '/search-indexes/{name}/rebuilds/{id}',
    family: 'search-indexes',
    access: 'read',
    summary: 'Answers a rebuild of a search index with its progress',
    params: rebuildPath,
    answer: rebuild,
    run: async ({ params: { name, id }, services }) => {
      const record = await services.longWork.find(KIND, id);
      return shownRebuild(required(record?.subject === name ? record : undefined, `rebuild ${id} of ${name}`));
    },
  }),
  rebuildSearchIndex: operation({
    method: 'POST',
    path: '/search-indexes/{name}/rebuilds',
    family: 'search-indexes',
    access: 'write',
    summary: 'Builds a search index anew; the old one answers meanwhile',
    params: namePath,
    answer: rebuild,
    status: 202,
    tagged: false,
    errors: ['conflict', 'unavailable'],
    locate: ({ index, id }) => `/search-indexes/${index}/rebuilds/${id}`,
    run: async ({ params: { name }, services, request }) => {
      const { state } = await stateOf(services, name);
      if (state === 'absent') throw new ManageProblem('conflict', 'nobody keeps this search index');
      const order = { kind: KIND, subject: name, options: {}, context: messageContext(request) } as const;
      const record = await services.longWork.start(order, (tell) =>
        operate(services, ({ library, session }) =>
          library.rebuildSearchIndex(session, name, (done) => tell({ done, total: null, unit: 'entries' })),
        ),
      );
      return shownRebuild(record);
    },
  }),
};

/** Operations on the indexes that find things by words. */
export const searchIndexOperations = {
  listSearchIndexes: operation({
    method: 'GET',
    path: '/search-indexes',
    family: 'search-indexes',
    access: 'read',
    summary: 'Lists search indexes by name, with how far each is',
    query: pageQuery,
    answer: pageOf(searchIndex),
    run: async ({ query, services }) =>
      operate(services, async ({ library, session }) => {
        const page = pageByText(await library.searchIndexStates(session), query, ({ index }) => index);
        return { ...page, items: page.items.map(shown) };
      }),
  }),
  getSearchIndex: operation({
    method: 'GET',
    path: '/search-indexes/{name}',
    family: 'search-indexes',
    access: 'read',
    summary: 'Answers a search index',
    params: namePath,
    answer: searchIndex,
    run: ({ params, services }) => stateOf(services, params.name),
  }),
  ...rebuilds,
};
