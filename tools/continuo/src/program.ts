import { productVersion } from '@continuo/chassis';
import type { Command } from 'commander';
import { locateServer, OperatorError, openSession, readSettings, type Settings } from '@continuo/operations';
import { accessCommand } from './access/access.commands.js';
import { artCommand } from './art/art.commands.js';
import { backupCommand } from './backup/backup.commands.js';
import { restoreCommand } from './backup/restore.commands.js';
import { catalogCommand } from './catalog/catalog.commands.js';
import type { Cli } from './cli.js';
import { emptyProgram } from './command-list.js';
import { openApi } from './connect/api.js';
import { findServer, type ServerWanted } from './connect/find-server.js';
import { contextCommand } from './context/context.commands.js';
import { deadLettersCommand } from './dead-letters/dead-letters.commands.js';
import { doctorCommand } from './doctor/doctor.commands.js';
import { genresCommand } from './genres/genres.commands.js';
import { logCommand } from './log/log.commands.js';
import type { Terminal } from './output/terminal.js';
import { playlistCommand } from './playlist/playlist.commands.js';
import { prepareCommand } from './prepare/prepare.commands.js';
import { projectionsCommand } from './projections/projections.commands.js';
import { ratingCommand } from './rating/rating.commands.js';
import { relayCommand } from './relay/relay.commands.js';
import { scanCommand } from './scan/scan.commands.js';
import { searchCommand } from './search/search.commands.js';
import { pluginsCommand } from './plugins/plugins.commands.js';
import { shoutCommand } from './shout/shout.commands.js';
import { secretsCommand } from './secrets/secrets.commands.js';
import { smartlistCommand } from './smartlist/smartlist.commands.js';
import { songCommand } from './song/song.commands.js';
import { sonicCommand } from './sonic/sonic.commands.js';
import { transcodeCommand } from './transcode/transcode.commands.js';
import { userCommand } from './user/user.commands.js';
import { webhookCommand } from './webhook/webhook.commands.js';

/** The program's surroundings. */
export interface ProgramOptions {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called when a command ran through but found something wrong. */
  readonly fail: () => void;
}

/** Options of the program itself. */
interface GlobalOptions {
  readonly data?: string;
  readonly server?: string;
  readonly key?: string;
  readonly context?: string;
}

const serverWanted = ({ data, server, key, context }: GlobalOptions, settings: Settings): ServerWanted => ({
  server: server ?? settings.CONTINUO_SERVER,
  key: key ?? settings.CONTINUO_KEY,
  context: context ?? settings.CONTINUO_CONTEXT,
  isLocal: (data ?? settings.DATABASE_URL) !== undefined,
});

const families: readonly ((cli: Cli) => Command)[] = [
  userCommand,
  catalogCommand,
  scanCommand,
  genresCommand,
  playlistCommand,
  ratingCommand,
  songCommand,
  shoutCommand,
  pluginsCommand,
  smartlistCommand,
  accessCommand,
  webhookCommand,
  relayCommand,
  transcodeCommand,
  sonicCommand,
  logCommand,
  projectionsCommand,
  searchCommand,
  deadLettersCommand,
  backupCommand,
  restoreCommand,
  artCommand,
  prepareCommand,
  secretsCommand,
  contextCommand,
  doctorCommand,
];

/** Builds the command line; nothing is connected before a command runs. */
export const continuoProgram = ({ terminal, env, fail }: ProgramOptions): Command => {
  const program = emptyProgram(productVersion);
  const options = (): GlobalOptions => program.opts<GlobalOptions>();
  const settings = (): Settings => readSettings({ ...env, CONTINUO_DATA: options().data ?? env['CONTINUO_DATA'] });
  const api: Cli['api'] = async () => openApi(await findServer(serverWanted(options(), settings()), settings(), env));
  const isElsewhere = (): boolean => {
    const { server, context, isLocal } = serverWanted(options(), settings());
    return !isLocal && (server ?? context) !== undefined;
  };
  const requireBeside: Cli['requireBeside'] = () => {
    if (isElsewhere())
      throw new OperatorError(
        'this command works beside the data folder only',
        'run it on the machine of the server, without --server and --context',
      );
  };
  const locate: Cli['locate'] = async () => {
    requireBeside();
    return locateServer(settings());
  };
  const withSession: Cli['withSession'] = async (work) => {
    const session = await openSession(await locate());
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  };
  const cli: Cli = {
    terminal,
    env,
    api,
    get isElsewhere() {
      return isElsewhere();
    },
    requireBeside,
    withSession,
    locate,
    settings,
    fail,
  };
  for (const make of families) program.addCommand(make(cli));
  return program;
};
