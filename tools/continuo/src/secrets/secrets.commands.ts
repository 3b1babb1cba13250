import { eachUserKey, readKeyRing, keyRingFrom, secretFingerprint, type KeysBySecret, type KeyRingMember } from '@continuo/chassis';
import { Command } from 'commander';
import { counted, openNats, rotate, rotateFile, secretSettings, secretsInFile, type RotationReport } from '@continuo/operations';
import type { Cli } from '../cli.js';
import { formatTable } from '../output/table.js';

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

const signsOf = ({ signsUntilMs }: KeyRingMember, nowMs: number): string => {
  if (signsUntilMs === undefined) return 'hold';
  return signsUntilMs > nowMs ? `hold until ${dayOf(signsUntilMs)}` : 'are void';
};

const tableOf = (members: readonly KeyRingMember[], keys: KeysBySecret): string =>
  formatTable(
    ['Secret', 'Since (UTC)', 'Its signatures', 'Keys of accounts'],
    members
      .filter(({ secret }, index) => members.findIndex((other) => other.secret === secret) === index)
      .map((member, index) => [
        secretFingerprint(member.secret),
        dayOf(member.sinceMs),
        signsOf(member, Date.now()),
        keys.counts[index] ?? 0,
      ]),
  );

const tellLocked = (cli: Cli, { locked }: KeysBySecret): void => {
  if (locked === 0) return;
  cli.terminal.warn(`${counted(locked, 'key')} of accounts cannot be opened with any of them: the names in their events are lost.`);
  cli.fail();
};

const status = async (cli: Cli): Promise<void> => {
  const access = await cli.locate();
  const settings = await secretSettings(cli.settings(), access);
  const nats = await openNats(access);
  try {
    const { members, sealedUnder } = await readKeyRing({ nats, settings, replicas: 1 });
    const keys = await eachUserKey({ nats, secret: keyRingFrom(members), replicas: 1 }, { rewrap: false });
    cli.terminal.print(tableOf(members, keys));
    const given = secretFingerprint(settings.CONTINUO_SECRET);
    cli.terminal.print(
      sealedUnder === given
        ? `CONTINUO_SECRET (${given}) opens everything: CONTINUO_SECRET_PREVIOUS is not needed.`
        : `CONTINUO_SECRET (${given}) is new: keep CONTINUO_SECRET_PREVIOUS until "continuo secrets rotate" has run.`,
    );
    if (keys.counts.slice(1).some((count) => count > 0))
      cli.terminal.print('Keys under a secret of before are wrapped under the current one when the social service starts next.');
    tellLocked(cli, keys);
  } finally {
    await nats.close();
  }
};

const tell = (cli: Cli, { ring, changed, keys }: RotationReport, atOnce: boolean): void => {
  const [mark = ''] = ring.members.map(({ secret }) => secretFingerprint(secret));
  cli.terminal.print(changed ? `The current secret is ${mark} now.` : `The current secret was ${mark} already.`);
  cli.terminal.print(`${counted(keys.counts[0] ?? 0, 'key')} of accounts wrapped under it.`);
  if (atOnce) cli.terminal.print('What was signed under those before is void.');
  tellLocked(cli, keys);
};

const change = async (cli: Cli, { atOnce = false }: { readonly atOnce?: boolean }): Promise<void> => {
  const access = await cli.locate();
  const given = cli.settings();
  const nats = await openNats(access);
  const place = { nats, atOnce, nowMs: Date.now() };
  try {
    if (given.CONTINUO_SECRET === undefined && access.secretFile !== undefined) {
      tell(cli, await rotateFile(access.secretFile, await secretsInFile(access.secretFile), place), atOnce);
      cli.terminal.print(`It lies in ${access.secretFile}. The server goes on as it is; restart it when it suits.`);
      return;
    }
    tell(cli, await rotate({ ...place, settings: await secretSettings(given, access) }), atOnce);
    cli.terminal.print('CONTINUO_SECRET_PREVIOUS can be taken out of the settings.');
  } finally {
    await nats.close();
  }
};

/** `continuo secrets …`: what stored secrets are sealed under. */
export const secretsCommand = (cli: Cli): Command => {
  const command = new Command('secrets').description('what passwords and personal data are sealed under, and changing it');
  command
    .command('status')
    .description('the secrets that the server has had, and whether the settings need the one before')
    .action(() => status(cli));
  command
    .command('rotate')
    .description('make CONTINUO_SECRET the current one; a standalone that keeps its secret in a file gets a new one')
    .option('--at-once', 'addresses and forms that were signed under those before are void at once, in place of after two days')
    .action((options: { atOnce?: boolean }) => change(cli, options));
  return command;
};
