import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { REPLICAS_SUBJECT, replicaQuery, SETTINGS_SUBJECT, settingsQuery, type Replica, type SettingSource } from '@continuo/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { BaseConfig, Environment } from '../config.js';
import type { Readiness } from '../health.js';
import { productVersion } from '../product-version.js';
import type { Running } from '../running.js';
import type { ServiceDefinition } from '../service.js';
import { answerQuery } from '../transport/queries.js';
import { maskedSettings } from './masked-settings.js';

/** A started service, as it describes itself. */
export interface DescribedService<C extends BaseConfig> {
  readonly definition: Pick<ServiceDefinition<C>, 'name' | 'config'>;
  readonly config: C;
  readonly nats: NatsConnection;
  readonly log: Logger;
  readonly env: Environment;
  readonly sources: Readonly<Record<string, SettingSource>> | undefined;
  readonly readiness: () => Readiness;
}

/** Measures the load since the last look; nothing runs in between. */
const loadMeter = (): (() => Pick<Replica, 'cpuCores' | 'eventLoopBusy'>) => {
  let last = { cpu: process.cpuUsage(), loop: performance.eventLoopUtilization(), atMs: performance.now() };
  return () => {
    const now = { cpu: process.cpuUsage(), loop: performance.eventLoopUtilization(), atMs: performance.now() };
    const usedMs = (now.cpu.user + now.cpu.system - last.cpu.user - last.cpu.system) / 1000;
    const load = {
      cpuCores: Math.max(0, usedMs / Math.max(1, now.atMs - last.atMs)),
      eventLoopBusy: Math.min(1, Math.max(0, performance.eventLoopUtilization(now.loop, last.loop).utilization)),
    };
    last = now;
    return load;
  };
};

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** Answers who asks all services for their version, start, load and settings. It costs nothing until somebody asks. */
export const describeService = <C extends BaseConfig>(service: DescribedService<C>): Running => {
  const { definition, config, nats, log, env, sources, readiness } = service;
  const [replicaId, startedAtMs, load] = [randomUUID(), Date.now(), loadMeter()];
  const describe = (): Replica => {
    const { ready, parts } = readiness();
    const { rss, heapUsed } = process.memoryUsage();
    const { cpuCores, eventLoopBusy } = load();
    return {
      replicaId,
      service: definition.name,
      version: productVersion,
      host: hostname(),
      pid: process.pid,
      startedAtMs,
      isReady: ready,
      parts,
      memoryBytes: rss,
      heapBytes: heapUsed,
      cpuCores: rounded(cpuCores),
      eventLoopBusy: rounded(eventLoopBusy),
    };
  };
  const settings = () => ({ replicaId, service: definition.name, settings: maskedSettings(definition.config, config, { env, sources }) });
  const answered = [
    answerQuery({ nats, log, subject: REPLICAS_SUBJECT, query: replicaQuery, answer: describe }),
    answerQuery({ nats, log, subject: SETTINGS_SUBJECT, query: settingsQuery, answer: settings }),
  ];
  return {
    stop: async () => {
      await Promise.all(answered.map((one) => one.stop()));
    },
  };
};
