import { describeFinding, examineServer, OperatorError, type Finding } from '@continuo/operations';
import { Command } from 'commander';
import type { Cli } from '../cli.js';
import { ServerRefusal } from '../connect/api.js';

/** Findings of the server; beside the data folder those of this program when the server does not answer, or refuses. */
const findingsOf = async (cli: Cli): Promise<readonly Finding[]> => {
  let { isElsewhere } = cli;
  try {
    const api = await cli.api();
    ({ isElsewhere } = api);
    const found = await api.all((client, cursor) =>
      client.GET('/checks', { params: { query: { limit: 500, ...cursor, ...(cursor.cursor === undefined ? { fresh: true } : {}) } } }),
    );
    return found.map(({ subject, status, detail, remedy }) => ({ subject, status, detail, ...(remedy === null ? {} : { remedy }) }));
  } catch (error) {
    if (isElsewhere || !(error instanceof OperatorError || error instanceof ServerRefusal)) throw error;
    const access = await cli.locate();
    cli.terminal.warn(`The server does not tell how it is (${error.message}): these checks were made from here.`);
    return examineServer(access, cli.settings());
  }
};

const doctor = async (cli: Cli, { json }: { readonly json?: boolean }): Promise<void> => {
  const findings = await findingsOf(cli);
  const faults = findings.filter(({ status }) => status === 'fault').length;
  const warnings = findings.filter(({ status }) => status === 'warning').length;
  if (json) cli.terminal.print(JSON.stringify({ failed: faults, warnings, findings }, null, 2));
  else {
    for (const line of findings.flatMap(describeFinding)) cli.terminal.print(line);
    cli.terminal.print(`${findings.length} checks, ${faults} failed, ${warnings} with a warning.`);
  }
  if (faults > 0) cli.fail();
};

/** `continuo doctor`: looks at everything a server needs and names the remedy for what is wrong. */
export const doctorCommand = (cli: Cli): Command =>
  new Command('doctor')
    .description('check everything that the server needs; exit code 1 when something is wrong')
    .option('--json', 'tell it to programs')
    .action((options: { json?: boolean }) => doctor(cli, options));
