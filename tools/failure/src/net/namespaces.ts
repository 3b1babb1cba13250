import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { NatsHost } from '../cluster/nats-nodes.js';

const run = promisify(execFile);
const IP = '/usr/sbin/ip';
const HOSTS = 3;
const NETWORK_BITS = 24;
const FIRST_ADDRESS = 10;

/** Direction in which a host's packets are dropped. */
export type PartitionKind = 'both' | 'hears nothing' | 'is not heard';

/** Three hosts of a network of their own within this machine, and this machine beside them; what they send each other can be dropped. */
export class HostNetwork {
  readonly #name: string;
  readonly #prefix: string;

  private constructor(id: number) {
    this.#name = `cf${id % 100_000}`;
    this.#prefix = `10.231.${1 + (id % 250)}`;
  }

  /** Makes the namespaces and their wires. @throws Error when that is not allowed */
  static async make(id = process.pid): Promise<HostNetwork> {
    await endLeftOvers();
    const network = new HostNetwork(id);
    try {
      await network.#wire();
    } catch (error) {
      await network.end();
      throw error;
    }
    return network;
  }

  /** Hosts on which servers are started there. */
  get hosts(): readonly [NatsHost, NatsHost, NatsHost] {
    return [this.#host(1), this.#host(2), this.#host(3)];
  }

  /** Drops what goes between a host (1 to 3) and the other two; with `also`, this machine too. */
  async partition(host: number, deafness: PartitionKind, also: 'others' | 'everybody' = 'others'): Promise<void> {
    const others = [1, 2, 3].filter((other) => other !== host).map((other) => this.#address(other));
    const all = also === 'everybody' ? [...others, `${this.#prefix}.1`] : others;
    for (const address of all) {
      if (deafness !== 'is not heard') await this.#inside(host, 'iptables', '-A', 'INPUT', '-s', address, '-j', 'DROP');
      if (deafness !== 'hears nothing') await this.#inside(host, 'iptables', '-A', 'OUTPUT', '-d', address, '-j', 'DROP');
    }
  }

  /** Everything gets through again. */
  async heal(): Promise<void> {
    for (let host = 1; host <= HOSTS; host += 1) await this.#inside(host, 'iptables', '-F');
  }

  async end(): Promise<void> {
    const names = [this.#name, ...Array.from({ length: HOSTS }, (_, index) => this.#space(index + 1))];
    for (const name of names) await run(IP, ['netns', 'delete', name]).catch(() => undefined);
  }

  async #wire(): Promise<void> {
    const name = this.#name;
    await this.end();
    await run(IP, ['netns', 'add', name]);
    await run(IP, ['-n', name, 'link', 'add', 'bridge', 'type', 'bridge']);
    await run(IP, ['-n', name, 'link', 'set', 'bridge', 'up']);
    await run(IP, ['link', 'add', name, 'type', 'veth', 'peer', 'name', 'uplink', 'netns', name]);
    await run(IP, ['-n', name, 'link', 'set', 'uplink', 'master', 'bridge', 'up']);
    await run(IP, ['address', 'add', `${this.#prefix}.1/${NETWORK_BITS}`, 'dev', name]);
    await run(IP, ['link', 'set', name, 'up']);
    for (let host = 1; host <= HOSTS; host += 1) await this.#wireHost(host);
  }

  async #wireHost(host: number): Promise<void> {
    const space = this.#space(host);
    const port = `port${host}`;
    await run(IP, ['netns', 'add', space]);
    await run(IP, ['-n', this.#name, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space]);
    await run(IP, ['-n', this.#name, 'link', 'set', port, 'master', 'bridge', 'up']);
    await run(IP, ['-n', space, 'address', 'add', `${this.#address(host)}/${NETWORK_BITS}`, 'dev', 'eth0']);
    await run(IP, ['-n', space, 'link', 'set', 'eth0', 'up']);
    await run(IP, ['-n', space, 'link', 'set', 'lo', 'up']);
  }

  #inside(host: number, ...command: string[]): Promise<unknown> {
    return run(IP, ['netns', 'exec', this.#space(host), ...command]);
  }

  #host(host: number): NatsHost {
    return { address: this.#address(host), prefix: [IP, 'netns', 'exec', this.#space(host)] };
  }

  #space(host: number): string {
    return `${this.#name}-${host}`;
  }

  #address(host: number): string {
    return `${this.#prefix}.${FIRST_ADDRESS + host}`;
  }
}

/** Removes namespaces of earlier runs whose processes are gone. */
const endLeftOvers = async (): Promise<void> => {
  const { stdout } = await run(IP, ['netns', 'list']);
  for (const [, name = '', id = ''] of stdout.matchAll(/^(cf(\d+)(?:-\d)?)\b/gm)) {
    if (!existsSync(`/proc/${id}`)) await run(IP, ['netns', 'delete', name]).catch(() => undefined);
  }
};
