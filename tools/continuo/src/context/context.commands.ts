import { text } from 'node:stream/consumers';
import { OperatorError } from '@continuo/operations';
import { Command } from 'commander';
import type { Cli } from '../cli.js';
import { contextsFileOf, readContexts, writeContexts, type SavedContexts } from '../connect/contexts.js';
import { formatTable } from '../output/table.js';

/** The server over the data folder, which needs no key. */
const LOCAL = 'local';

const change = async (cli: Cli, edit: (saved: SavedContexts) => SavedContexts): Promise<void> => {
  const file = contextsFileOf(cli.env);
  await writeContexts(file, edit(await readContexts(file)));
};

/** Reads the key from the terminal or a pipe: arguments can be read by everybody on the machine. */
const askedKey = async (cli: Cli): Promise<string> => {
  cli.terminal.warn('API key of an administrator, then Enter and Ctrl-D:');
  const typed = (await text(cli.terminal.input)).trim();
  if (typed === '') throw new OperatorError('no key was given', 'set CONTINUO_KEY, or pipe the key into the command');
  return typed;
};

const add = async (cli: Cli, name: string, server: string, given: string | undefined): Promise<void> => {
  if (name === LOCAL) throw new OperatorError(`"${LOCAL}" is the server over the data folder`, 'choose another name');
  if (!/^https?:$/.test(URL.parse(server)?.protocol ?? ''))
    throw new OperatorError(`"${server}" is no address of a server`, 'expected one such as https://music.example.org');
  const key = given ?? cli.env['CONTINUO_KEY'] ?? (await askedKey(cli));
  await change(cli, ({ contexts }) => ({ current: name, contexts: { ...contexts, [name]: { server, key } } }));
  cli.terminal.print(`Commands go to ${name} (${server}) from now on.`);
};

const list = async (cli: Cli): Promise<void> => {
  const { current, contexts } = await readContexts(contextsFileOf(cli.env));
  const rows = Object.entries(contexts).map(([name, { server }]) => [name, server, name === current ? 'in use' : '']);
  cli.terminal.print(formatTable(['Name', 'Server', ''], rows));
};

const requireSaved = ({ contexts }: SavedContexts, name: string): void => {
  if (contexts[name] === undefined)
    throw new OperatorError(`no server is saved as "${name}"`, '"continuo context list" shows those that are');
};

const use = async (cli: Cli, name: string): Promise<void> => {
  await change(cli, (saved) => {
    if (name !== LOCAL) requireSaved(saved, name);
    return { ...saved, current: name === LOCAL ? null : name };
  });
  cli.terminal.print(`Commands go to ${name} from now on.`);
};

const remove = async (cli: Cli, name: string): Promise<void> => {
  await change(cli, (saved) => {
    requireSaved(saved, name);
    const { [name]: _removed, ...contexts } = saved.contexts;
    return { current: saved.current === name ? null : saved.current, contexts };
  });
  cli.terminal.print(`${name} is forgotten.`);
};

/** `continuo context …`: servers elsewhere that commands are sent to. */
export const contextCommand = (cli: Cli): Command => {
  const command = new Command('context').description('servers elsewhere that commands are sent to, with their keys');
  command
    .command('add <name> <url>')
    .description('save a server and its key, and use it; the key is that of --key or CONTINUO_KEY, else read from the terminal')
    .action((name: string, url: string, _options: object, self: Command) =>
      add(cli, name, url, self.optsWithGlobals<{ key?: string }>().key),
    );
  command
    .command('list')
    .description('which are saved')
    .action(() => list(cli));
  command
    .command('use <name>')
    .description('send commands there; "local" is the server over the data folder')
    .action((name: string) => use(cli, name));
  command
    .command('remove <name>')
    .description('forget a server and its key')
    .action((name: string) => remove(cli, name));
  return command;
};
