import { revokeApiKey, type UserId } from '@continuo/contracts';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import type { Session } from '../connect/session.js';
import { formatTable } from '../output/table.js';
import { userNamed } from './find-user.js';

interface KeyRow {
  readonly key_id: string;
  readonly name: string;
  readonly issued_at_ms: number;
}

const keysOf = ({ db }: Session, userId: UserId): Promise<KeyRow[]> =>
  db
    .selectFrom('social.api_key')
    .select(['key_id', 'name', 'issued_at_ms'])
    .where('user_id', '=', userId)
    .orderBy('issued_at_ms')
    .orderBy('key_id')
    .execute();

/** How much of a key's id is shown and has to be typed. */
const SHOWN_ID_LENGTH = 12;

const listKeys = (cli: Cli, username: string): Promise<void> =>
  cli.withSession(async (session) => {
    const keys = await keysOf(session, await userNamed(session, username));
    const rows = keys.map((key) => [key.key_id.slice(0, SHOWN_ID_LENGTH), key.name, new Date(key.issued_at_ms).toISOString().slice(0, 10)]);
    cli.terminal.print(formatTable(['Key', 'Name', 'Since'], rows));
  });

const revokeKeys = (cli: Cli, username: string, which: string): Promise<void> =>
  cli.withSession(async (session) => {
    const userId = await userNamed(session, username);
    const isMeant = ({ key_id, name }: KeyRow): boolean => name === which || (which.length >= 4 && key_id.startsWith(which));
    const meant = (await keysOf(session, userId)).filter(isMeant);
    if (meant.length === 0) throw new CliError(`${username} has no key "${which}"`, `"continuo user keys ${username}" shows them`);
    for (const { key_id: keyId } of meant) await session.commands.send(revokeApiKey, { userId, keyId }, session.context());
    cli.terminal.print(`${meant.length === 1 ? 'One key' : `${meant.length} keys`} of ${username} revoked.`);
  });

/** Adds what shows and revokes API keys. */
export const addKeyCommands = (command: Command, cli: Cli): void => {
  command
    .command('keys <name>')
    .description('the API keys of an account')
    .action((name: string) => listKeys(cli, name));
  command
    .command('revoke-key <name> <key>')
    .description('revoke the keys of that label, or the one whose number begins so')
    .action((name: string, key: string) => revokeKeys(cli, name, key));
};
