#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { collectWhenIdle } from '@continuo/chassis';
import { environment, optionsFrom, parseArguments, type Arguments } from './config.js';
import { greeting, progressLine, summary, usage } from './output.js';
import { scanFolder } from './scan-folder.js';
import { startStandalone, type Standalone } from './standalone.js';

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Scans one folder and shows how far it is: in place on a terminal, line by line elsewhere. */
const scanAndShow = async (standalone: Standalone, folder: string): Promise<void> => {
  say(`\nScanning ${folder}`);
  const inPlace = process.stdout.isTTY;
  let shown = '';
  for await (const { scan, done } of scanFolder(standalone, folder)) {
    const line = progressLine(scan);
    if (inPlace) process.stdout.write(`\r\x1b[2K${line}`);
    else if (line !== shown) say(line);
    shown = line;
    if (!done) continue;
    if (inPlace) process.stdout.write('\n');
    say(summary(scan));
  }
};

const untilSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });

const serve = async (wanted: Arguments): Promise<void> => {
  const signalled = untilSignal();
  collectWhenIdle();
  // The nursery of `process.json` is that of this thread, which has it by now; over other threads it would win against what they are given themselves.
  setFlagsFromString('--max-semi-space-size=0');
  const standalone = await startStandalone(optionsFrom(environment), say);
  say(greeting(standalone));
  const scanning = (async () => {
    for (const folder of wanted.music) await scanAndShow(standalone, folder);
  })();
  scanning.catch((error: unknown) => say(`The scan could not be done. ${error instanceof Error ? error.message : String(error)}`));
  await signalled;
  say('\nStopping …');
  await standalone.stop();
};

const main = async (): Promise<void> => {
  const wanted = parseArguments(process.argv.slice(2));
  if (wanted.help) say(usage);
  else await serve(wanted);
};

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`Continuo cannot start. ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
