import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LocalDisks, mountPointsIn } from './local-disks.js';

it('finds the folders at which something is mounted, also those with blanks in their names', () => {
  const mountInfo = [
    '22 1 254:0 / / rw,noatime - ext4 /dev/root rw',
    String.raw`31 22 0:27 /music /srv/my\040music\134old rw shared:5 - nfs4 nas:/music rw`,
    '',
  ].join('\n');
  const points = mountPointsIn(mountInfo);
  expect([...points]).toEqual(expect.arrayContaining(['/', String.raw`/srv/my music\old`]));
});

it.runIf(process.platform === 'linux')('knows the mounts of this machine', () => {
  const disks = new LocalDisks();
  expect(disks.mayBeMountPoint('/proc')).toBe(true);
  expect(disks.mayBeMountPoint(join(tmpdir(), 'continuo-nothing-is-mounted-here'))).toBe(false);
});
