import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '../checks/finding.js';
import type { SelfExit } from '../cluster/service-process.js';
import type { Kill } from '../killing/killer.js';

/** What a scenario did and found. */
export interface Report {
  readonly scenario: string;
  /** Repeats the choice and the times of the kills. */
  readonly seed: number;
  readonly durationMs: number;
  readonly kills: readonly Kill[];
  readonly findings: readonly Finding[];
  /** Numbers of the scenario itself. */
  readonly figures: Readonly<Record<string, unknown>>;
  /** Services that ended without being killed. */
  readonly selfExits: readonly SelfExit[];
}

/** The checks that did not hold. */
export const failures = (report: Report): readonly Finding[] => report.findings.filter((finding) => !finding.ok);

/** The report as lines for a person. */
export const reportLines = (report: Report): string[] => {
  const byVictim = Map.groupBy(report.kills, (kill) => kill.victim);
  const counts = [...byVictim].map(([victim, kills]) => `${victim} ${kills.length}`).toSorted();
  return [
    `${report.scenario}, seed ${report.seed}: ${report.kills.length} kills (${counts.join(', ')}) in ${(report.durationMs / 1000).toFixed(1)} s`,
    ...Object.entries(report.figures).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`),
    `  services that ended by themselves: ${report.selfExits.length}`,
    ...report.findings.map(({ ok, check, detail }) => `  ${ok ? 'ok  ' : 'FAIL'} ${check}: ${detail}`),
  ];
};

/** Writes the report as JSON and answers the file's path. */
export const writeReport = async (folder: string, report: Report): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${report.scenario}.json`);
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  return file;
};
