import { Command } from 'commander';

/** The commands with their arguments and descriptions, as the commands themselves say them (program.unit.spec). Help is printed from here without loading any of them. */
const commandList: readonly (readonly [name: string, usage: string, description: string])[] = [
  ['user', '', 'accounts and their API keys'],
  ['catalog', '', 'folders that the library shows'],
  ['scan', '[options] <catalog>', 'look for new, changed and removed files'],
  ['genres', '', 'which genres lists show; genres that stand for others'],
  ['playlist', '', 'playlists, and playlist files'],
  ['rating', '', 'ratings that stand in music files'],
  ['song', '', 'single songs'],
  ['shout', '', 'what people say about songs, albums and artists'],
  ['plugins', '', 'plug-ins: whether they work, and with which settings'],
  ['smartlist', '', 'searches for songs that are kept as lists'],
  ['access', '', 'the access list: who may come from where, for what'],
  ['webhook', '', 'servers elsewhere that are told what happens'],
  ['relay', '', 'services elsewhere that are told what accounts play'],
  ['transcode', '', 'bring media into another form before anybody asks for them'],
  ['sonic', '', 'find out what songs sound like'],
  ['log', '', 'the event log: whether it is whole, and going on when it is not'],
  ['projections', '', 'tables that are filled from the log'],
  ['search', '', 'indexes that find things by words'],
  ['dead-letters', '', 'messages that nobody could handle'],
  ['backup', '[options] [folder]', 'write a backup of the running server into a new folder: tables, log, keys, pictures'],
  ['restore', '[options] <folder>', 'put a backup in place while the server is stopped'],
  ['art', '', 'where covers and other pictures are kept'],
  ['prepare', '[options]', 'create what is missing in NATS, and see that Postgres answers; the services do the same when they start'],
  ['secrets', '', 'what passwords and personal data are sealed under, and changing it'],
  ['context', '', 'servers elsewhere that commands are sent to, with their keys'],
  ['doctor', '[options]', 'check everything that the server needs; exit code 1 when something is wrong'],
];

/** The program with its own options, before any command is added. `version` is the one that `--version` prints. */
export const emptyProgram = (version: string): Command =>
  new Command('continuo')
    .description('operate a Continuo server')
    .option('--data <folder>', 'data folder of the server (default: CONTINUO_DATA, else ./data)')
    .option('--server <url>', 'a server elsewhere (default: CONTINUO_SERVER)')
    .option('--key <key>', 'API key to it, visible to other users of this machine (default: CONTINUO_KEY)')
    .option('--context <name>', 'a server saved by "continuo context" (default: CONTINUO_CONTEXT, else the one in use)')
    .version(version, '--version', 'version of this program')
    .showHelpAfterError('(--help shows what there is)');

const OPTIONS = /^\[options\] ?/;

/** The program for its help alone: commands that do nothing. */
export const helpProgram = (): Command => {
  const program = emptyProgram('');
  for (const [name, usage, description] of commandList) {
    const command = program.command([name, usage.replace(OPTIONS, '')].join(' ').trim()).description(description);
    if (OPTIONS.test(usage)) command.option('--any');
  }
  return program;
};

/** True when the arguments ask for the list of commands. */
export const asksForList = (args: readonly string[]): boolean => args.length === 1 && ['--help', '-h', 'help'].includes(args[0] ?? '');
