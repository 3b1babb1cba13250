import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signal, workingDirectory } from '@continuo/local-servers';
import { mount, unmount } from './mounted.js';

const run = promisify(execFile);

/**
 * Shuts an ext4 file system down on the spot, without writing what it holds in memory, its journal included. Source: the request `EXT4_IOC_SHUTDOWN` of the kernel's
 * ext4 with its flag for "no log flush", which the kernel's own tests use to stand for the loss of power.
 */
const SHUTDOWN = [
  'my ($disk, $name) = @ARGV;',
  'open(my $folder, "<", $disk) or die "open: $!"; my $how = pack("L", 2);',
  // In one breath with the end: the journal is written every few seconds, and whenever anybody's file is.
  'open(my $last, ">", "$disk/$name") or die "$name: $!";',
  'ioctl($folder, 0x8004587d, $how) or die "ioctl: $!"',
].join(' ');

/** A disk whose power can be cut: what was not written through to it is gone then, as with a machine that loses its power. */
export class PowerDisk {
  readonly folder: string;
  #image: string;
  #cuts = 0;

  private constructor(folder: string, image: string) {
    this.folder = folder;
    this.#image = image;
  }

  /** Makes a file system in a file and mounts it. @throws Error when that is not allowed */
  static async mount(home: string, sizeMib: number): Promise<PowerDisk> {
    const [folder, image] = [join(home, 'disk'), join(home, 'disk.image')];
    await mkdir(home, { recursive: true });
    await run('umount', [folder]).catch(() => undefined);
    await rm(image, { force: true });
    await run('truncate', ['-s', `${sizeMib}M`, image]);
    await run('mkfs.ext4', ['-q', '-F', image]);
    const disk = new PowerDisk(folder, image);
    await disk.on();
    await chmod(folder, 0o755);
    return disk;
  }

  /**
   * The power is gone. Everything that still runs on the disk gets errors from now on. The file `unwritten` is made on the disk just before and not written
   * through: if it is there afterwards, this was no loss of power.
   */
  async cutPower(unwritten: string): Promise<void> {
    await run('perl', ['-e', SHUTDOWN, this.folder, unwritten]);
  }

  /**
   * Lets go of the dead disk and brings it back as it was when the power went. Whatever still works on it is ended, as it would be by the loss of power. Processes in
   * a namespace of their own (of a network, a container) see it still, without knowing: what they hold is dead for good, so that it is a copy that is mounted.
   */
  async restore(): Promise<void> {
    await this.#endUsers();
    await unmount(this.folder);
    const dead = this.#image;
    this.#cuts += 1;
    this.#image = `${this.folder}.${this.#cuts}.image`;
    await run('cp', ['--sparse=always', dead, this.#image]);
    await rm(dead);
    await this.on();
  }

  /** Ends the disk; its content is lost. */
  async end(): Promise<void> {
    await unmount(this.folder);
    await rm(this.#image, { force: true });
  }

  /** A process of Postgres that waits for a lock of another one that the dead disk has ended does not notice that its server is gone. */
  async #endUsers(): Promise<void> {
    for (const pid of (await readdir('/proc')).map(Number).filter(Number.isInteger)) {
      const folder = await workingDirectory(pid);
      if (folder?.startsWith(`${this.folder}/`)) signal(pid, 'SIGKILL');
    }
  }

  private on(): Promise<void> {
    return mount(this.folder, ['-o', 'loop', this.#image]);
  }
}
