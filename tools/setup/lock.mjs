import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cache } from './paths.mjs';
import { say, SetupError } from './say.mjs';

const file = join(cache, 'setup.lock');
const patienceMs = 20 * 60_000;

/**
 * Runs a piece of work while no other set-up of this checkout runs. The lock of a dead process is taken over. An account that may not write into the checkout, as that of a
 * service, uses what its owner has set up.
 */
export async function exclusively(work) {
  try {
    mkdirSync(cache, { recursive: true });
    await take();
  } catch (error) {
    if (!isDenied(error)) throw error;
    return work().catch(explain);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** True when something may not be written; of programs that were run, only the output says so. */
function isDenied({ message }) {
  return /EACCES|EROFS|permission denied/i.test(message);
}

function explain(cause) {
  if (!isDenied(cause)) throw cause;
  const remedy = `This account may not write into ${cache}: run "npm start -- --help" there once, and after each update, as the owner.`;
  throw new SetupError(`${cause.message}\n${remedy}`, { cause });
}

async function take() {
  const until = Date.now() + patienceMs;
  for (let told = false; !tryTake(); told = true) {
    if (!told) say('Another set-up is running in this folder; waiting for it …');
    if (Date.now() > until) throw new SetupError(`Another set-up holds ${file} for too long; end it or delete that file.`);
    await sleep(200);
  }
}

function tryTake() {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (holderIsGone()) rmSync(file, { force: true });
    return false;
  }
}

function holderIsGone() {
  let holder;
  try {
    holder = Number.parseInt(readFileSync(file, 'utf8'), 10);
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
  // Just made and not yet filled in: look again later.
  if (Number.isNaN(holder)) return false;
  try {
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
