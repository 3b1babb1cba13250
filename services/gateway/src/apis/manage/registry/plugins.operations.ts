import { describePlugins } from '@continuo/contracts';
import { z } from 'zod';
import { runCommand } from '../../../server/commands.js';
import type { HasCommands, HasConfig } from '../../../server/needs.js';
import { operationsUsing, type OperationCall } from '../operation.js';
import { ManageProblem } from '../problems.js';

type Services = HasCommands & HasConfig;
const { operation } = operationsUsing<Services>();

const plugin = z
  .object({
    name: z.string(),
    title: z.string(),
    version: z.string(),
    sends: z.string().meta({ description: 'What it tells to services elsewhere' }),
    functions: z.array(z.string()).meta({ description: 'What it can do, such as `metadata.artist`' }),
  })
  .meta({ id: 'Plugin' });

type Call = Pick<OperationCall<unknown, unknown, unknown, Services>, 'services' | 'request'>;
const plugins = async ({ services, request }: Call) => (await runCommand(services, request, describePlugins, {})).plugins;

/** Operations on plug-ins. Their settings are those of the service that runs them. */
export const pluginOperations = {
  listPlugins: operation({
    method: 'GET',
    path: '/plugins',
    family: 'plugins',
    access: 'read',
    summary: 'Lists the plug-ins that run, by name, on one page',
    answer: z.object({ items: z.array(plugin), nextCursor: z.null() }),
    run: async (call) => ({ items: (await plugins(call)).toSorted((a, b) => a.name.localeCompare(b.name, 'en')), nextCursor: null }),
  }),
  getPlugin: operation({
    method: 'GET',
    path: '/plugins/{name}',
    family: 'plugins',
    access: 'read',
    summary: 'Answers a plug-in that runs',
    params: z.strictObject({ name: z.string().regex(/^[\w.-]{1,40}$/) }),
    answer: plugin,
    run: async (call) => {
      const found = (await plugins(call)).find(({ name }) => name === call.params.name);
      if (!found) throw new ManageProblem('path.not-found', 'No plug-in of this name runs');
      return found;
    },
  }),
};
