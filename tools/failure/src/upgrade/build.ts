import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { programOf, repository } from '../config.js';

/** Services that the suite replaces, in this order: those that keep tables first, gateways last. */
export const upgradedServices = ['library', 'social', 'playback', 'ingestion', 'gateway'] as const;
export type UpgradedService = (typeof upgradedServices)[number];

/** A release as it was built: where the program of each service lies. */
export interface Build {
  readonly name: string;
  readonly programOf: (service: UpgradedService) => string;
  /** Whether its gateways go on for a while after SIGTERM by themselves; older ones need the pause that Kubernetes makes before it. */
  readonly hasGrace: boolean;
}

/** This repository as it was built last. */
export const present: Build = {
  name: 'present',
  programOf,
  hasGrace: true,
};

/** The same code as its next release would be, see `next/next-release.ts`. */
export const next: Build = {
  name: 'next',
  programOf: (service) => join(repository, 'tools', 'failure', 'dist', 'upgrade', 'next', `${service}.main.js`),
  hasGrace: true,
};

/** A release in a folder of its own. @throws Error when it was not built */
export const builtIn = async (name: string, folder: string): Promise<Build> => {
  const programBuilt = (service: UpgradedService): string => join(folder, 'services', service, 'dist', 'main.js');
  await access(programBuilt('gateway'));
  return { name, programOf: programBuilt, hasGrace: false };
};
