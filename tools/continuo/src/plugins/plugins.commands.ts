import type { ManageTypes } from '@continuo/client';
import { Command } from 'commander';
import type { Cli } from '../cli.js';
import { formatTable } from '../output/table.js';

type Plugin = ManageTypes['schemas']['Plugin'];

const stateOf = ({ state, restsUntil, problem }: Plugin['services'][number]): string => {
  const until = restsUntil === null ? state : `${state} until ${restsUntil}`;
  return problem === null ? until : `${until}: ${problem}`;
};

const list = async (cli: Cli, json: boolean): Promise<void> => {
  const api = await cli.api();
  const plugins = await api.all((client, cursor) => client.GET('/plugins', { params: { query: { limit: 500, ...cursor } } }));
  if (plugins.some(({ services }) => services.some(({ state }) => state !== 'ready'))) cli.fail();
  if (json) return cli.terminal.print(JSON.stringify(plugins));
  const rows = plugins.flatMap(({ name, version, services }) => services.map((one) => [name, version, one.service, stateOf(one)]));
  cli.terminal.print(formatTable(['Name', 'Version', 'Service', 'State'], rows));
};

const show = async (cli: Cli, name: string): Promise<void> => {
  const api = await cli.api();
  const { title, sends, functions, services, settings } = await api.ask((client) =>
    client.GET('/plugins/{name}', { params: { path: { name } } }),
  );
  cli.terminal.print(`${title}. ${sends}`);
  cli.terminal.print(`Functions: ${functions.join(', ')}`);
  for (const one of services) cli.terminal.print(`In ${one.service}: ${stateOf(one)}`);
  const rows = settings.map(({ name: setting, value, isSecret, isSet, isRequired, about }) => [
    setting,
    isSecret ? (isSet ? 'set' : '') : (value ?? ''),
    isRequired ? 'needed' : '',
    about,
  ]);
  cli.terminal.print(formatTable(['Setting', 'Value', '', 'About'], rows));
};

/** `continuo plugins …`: whether they work, and with which settings. */
export const pluginsCommand = (cli: Cli): Command => {
  const command = new Command('plugins').description('plug-ins: whether they work, and with which settings');
  command
    .command('list')
    .description('all of them; exit code 1 when one does not work')
    .option('--json', 'print one JSON array, and nothing else', false)
    .action(({ json }: { readonly json: boolean }) => list(cli, json));
  command
    .command('show')
    .description('one of them, with its settings; secrets are not shown')
    .argument('<name>')
    .action((name: string) => show(cli, name));
  return command;
};
