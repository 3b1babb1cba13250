import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inState } from './paths.mjs';

/** Settings of the kernel that a kubelet changes for the whole machine. */
const TUNABLES = [
  'vm/overcommit_memory',
  'vm/panic_on_oom',
  'kernel/panic',
  'kernel/panic_on_oops',
  'kernel/keys/root_maxkeys',
  'kernel/keys/root_maxbytes',
];

const kept = inState('tunables.json');
const file = (name) => `/proc/sys/${name}`;

/** Notes them before a node starts. */
export const keepTunables = () =>
  writeFileSync(kept, JSON.stringify(Object.fromEntries(TUNABLES.map((name) => [name, readFileSync(file(name), 'utf8').trim()]))));

/** Sets them as they were. */
export const restoreTunables = () => {
  if (!existsSync(kept)) return;
  for (const [name, value] of Object.entries(JSON.parse(readFileSync(kept, 'utf8')))) writeFileSync(file(name), value);
};
