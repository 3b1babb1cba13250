import { Command } from 'commander';
import { accessCommand } from './access/access.commands.js';
import { backupCommand } from './backup/backup.commands.js';
import { restoreCommand } from './backup/restore.commands.js';
import { catalogCommand } from './catalog/catalog.commands.js';
import type { Cli } from './cli.js';
import { readSettings, type Settings } from './config.js';
import { locateServer } from './connect/locate.js';
import { openSession } from './connect/session.js';
import { deadLettersCommand } from './dead-letters/dead-letters.commands.js';
import { doctorCommand } from './doctor/doctor.commands.js';
import { genresCommand } from './genres/genres.commands.js';
import type { Terminal } from './output/terminal.js';
import { playlistCommand } from './playlist/playlist.commands.js';
import { prepareCommand } from './prepare/prepare.commands.js';
import { projectionsCommand } from './projections/projections.commands.js';
import { ratingCommand } from './rating/rating.commands.js';
import { relayCommand } from './relay/relay.commands.js';
import { scanCommand } from './scan/scan.commands.js';
import { searchCommand } from './search/search.commands.js';
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

/** Builds the command line; nothing is connected before a command runs. */
export const continuoProgram = ({ terminal, env, fail }: ProgramOptions): Command => {
  const program = new Command('continuo')
    .description('operate a Continuo server')
    .option('--data <folder>', 'data folder of the server (default: CONTINUO_DATA, else ./data)')
    .showHelpAfterError('(--help shows what there is)');
  const settings = (): Settings => readSettings({ ...env, CONTINUO_DATA: program.opts<{ data?: string }>().data ?? env['CONTINUO_DATA'] });
  const locate: Cli['locate'] = () => locateServer(settings());
  const withSession: Cli['withSession'] = async (work) => {
    const session = await openSession(await locate());
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  };
  const cli: Cli = { terminal, withSession, locate, settings, fail };
  for (const make of [
    userCommand,
    catalogCommand,
    scanCommand,
    genresCommand,
    playlistCommand,
    ratingCommand,
    songCommand,
    shoutCommand,
    smartlistCommand,
    accessCommand,
    webhookCommand,
    relayCommand,
    transcodeCommand,
    sonicCommand,
    projectionsCommand,
    searchCommand,
    deadLettersCommand,
    backupCommand,
    restoreCommand,
    prepareCommand,
    secretsCommand,
    doctorCommand,
  ]) {
    program.addCommand(make(cli));
  }
  return program;
};
