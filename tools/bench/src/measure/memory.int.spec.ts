import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { processTree, treeMemory, watchPeak, withCpu } from './memory.js';

describe.runIf(process.platform === 'linux')('process tree', () => {
  it('finds children of children, their memory and their processor time', async () => {
    const busy = 'while (process.cpuUsage().user < 400_000); setTimeout(() => undefined, 60_000); console.log("done")';
    const script = `const { spawn } = require('node:child_process'); spawn(process.execPath, ['-e', ${JSON.stringify(busy)}], { stdio: 'inherit' })`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    const pid = child.pid ?? 0;
    try {
      const { cpuMs } = await withCpu(pid, () => once(child.stdout, 'data'));
      expect(cpuMs).toBeGreaterThan(200);
      expect(await processTree(pid)).toHaveLength(2);
      const memory = await treeMemory(pid);
      expect(memory.every(({ pssBytes }) => pssBytes > 1e6)).toBe(true);
      expect(await watchPeak(pid)()).toBeGreaterThan(1e6);
    } finally {
      process.kill(-pid, 'SIGKILL');
    }
  });
});
