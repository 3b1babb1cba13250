import { askEverybody } from '@continuo/chassis';
import { PLUGINS_SUBJECT, pluginsQuery, type ServicePlugins } from '@continuo/contracts';
import { z } from 'zod';
import type { HasOperations } from '../../../features/operations/operations.js';
import { pageByText, pageOf, pageQuery } from '../cursors.js';
import { operate, required } from '../operate.js';
import { operationsUsing } from '../operation.js';
import { timeTextOrNull, time } from '../schemas/times.js';

const { operation } = operationsUsing<HasOperations>();

const plugin = z
  .object({
    name: z.string(),
    title: z.string(),
    version: z.string(),
    sends: z.string().meta({ description: 'What it tells to services elsewhere' }),
    functions: z.array(z.string()).meta({ description: 'What it can do, such as `metadata.artist`' }),
    requestEveryMs: z
      .number()
      .nullable()
      .meta({ description: 'Least time between two requests that it sends, over all services; null for none' }),
    maxHeapMb: z.number().nullable().meta({ description: 'Memory that it may use in each service; null where it could not be started' }),
    services: z
      .array(
        z
          .object({
            service: z.string(),
            state: z.enum(['ready', 'resting', 'unusable']).meta({ description: '`resting`: it has failed too often in a row' }),
            restsUntil: time.nullable(),
            problem: z.string().nullable().meta({ description: 'Why it cannot be used, or its last failure' }),
            asked: z.int().meta({ description: 'Questions since the start of the service' }),
            failed: z.int().meta({ description: 'Of those, the ones that it could not answer' }),
          })
          .meta({ id: 'PluginState' }),
      )
      .meta({ description: 'State in each running service that has it' }),
    settings: z
      .array(
        z
          .object({
            name: z.string(),
            about: z.string(),
            value: z.string().nullable().meta({ description: 'Null for secrets, and for what has none' }),
            isSet: z.boolean().meta({ description: 'False: the default' }),
            isSecret: z.boolean(),
            isRequired: z.boolean(),
          })
          .meta({ id: 'PluginSetting' }),
      )
      .meta({ description: 'As `PLUGIN_SETTINGS` of the service has them; they change with a start of the service' }),
  })
  .meta({ id: 'Plugin' });

type Plugin = z.output<typeof plugin>;
type One = ServicePlugins['plugins'][number] & { readonly service: string };

const stateOf = ({ restsUntilMs, service, state, problem, asked, failed }: One): Plugin['services'][number] => ({
  service,
  state,
  restsUntil: timeTextOrNull(restsUntilMs),
  problem,
  asked,
  failed,
});

/** One row for a plug-in, whichever services run it; what it says of itself is the same in all of them that could start it. */
const merged = (same: readonly One[]): Plugin[] => {
  const inOrder = same.toSorted((a, b) => (a.service < b.service ? -1 : 1));
  const told = inOrder.find(({ state }) => state !== 'unusable') ?? inOrder[0];
  if (!told) return [];
  const { name, title, version, sends, requestEveryMs, maxHeapMb, settings } = told;
  const functions = [...new Set(inOrder.flatMap((one) => one.functions))];
  return [{ name, title, version, sends, functions, requestEveryMs, maxHeapMb, services: inOrder.map(stateOf), settings }];
};

const plugins = async (services: HasOperations): Promise<Plugin[]> => {
  const answers = await operate(services, ({ session }) => askEverybody(session.nats, pluginsQuery, {}, { subject: PLUGINS_SUBJECT }));
  const all = answers.flatMap(({ service, plugins: some }) => some.map((one) => ({ service, ...one })));
  return [...Map.groupBy(all, ({ name }) => name).values()].flatMap(merged);
};

/** Operations on plug-ins: what runs, how it is, and with which settings. */
export const pluginOperations = {
  listPlugins: operation({
    method: 'GET',
    path: '/plugins',
    family: 'plugins',
    access: 'read',
    summary: 'Lists plug-ins by name, with their state and settings; those that could not be started, too',
    query: pageQuery,
    answer: pageOf(plugin),
    run: async ({ query, services }) => pageByText(await plugins(services), query, ({ name }) => name),
  }),
  getPlugin: operation({
    method: 'GET',
    path: '/plugins/{name}',
    family: 'plugins',
    access: 'read',
    summary: 'Answers a plug-in, with its state and settings',
    params: z.strictObject({ name: z.string().min(1).max(255) }),
    answer: plugin,
    run: async ({ params, services }) =>
      required(
        (await plugins(services)).find(({ name }) => name === params.name),
        `plug-in ${params.name}`,
      ),
  }),
};
