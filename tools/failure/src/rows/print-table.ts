import type { Finding } from '../checks/finding.js';
import type { Row, RowReport } from './row.js';

/** Outcome of a row. */
export type RowResult =
  | { readonly row: Row; readonly report: RowReport }
  | { readonly row: Row; readonly skipped: string }
  | { readonly row: Row; readonly failed: string };

/** The checks of a row that did not hold. */
export const rowFailures = ({ findings }: RowReport): readonly Finding[] => findings.filter(({ ok }) => !ok);

/** Whether nothing went wrong; a row that was skipped did not go wrong. */
export const isGood = (result: RowResult): boolean =>
  'skipped' in result || ('report' in result && rowFailures(result.report).length === 0);

/** Whether tables were rebuilt equal; undefined for a row that rebuilds none. */
export const isRebuiltEqual = ({ findings }: RowReport): boolean | undefined => {
  const rebuilds = findings.filter(({ check }) => check.startsWith('rebuild'));
  return rebuilds.length === 0 ? undefined : rebuilds.every(({ ok }) => ok);
};

const answer = (held: boolean | undefined): string => (held === undefined ? '' : held ? 'yes' : 'NO');

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

const cells = (result: RowResult): readonly string[] => {
  const { name } = result.row;
  if ('skipped' in result) return [name, `skipped: ${result.skipped}`, '', '', '', '', '', ''];
  if ('failed' in result) return [name, `FAILED: ${result.failed}`, '', '', '', '', '', ''];
  const { report } = result;
  const { faults, writes, lost, doubled, gapMs, durationMs } = report;
  const bad = rowFailures(report).length;
  const figures = [faults, writes, lost, doubled].map((figure) => (figure === undefined ? '' : String(figure)));
  const gap = gapMs === undefined ? '' : seconds(gapMs);
  return [name, ...figures, answer(isRebuiltEqual(report)), gap, bad === 0 ? `held, ${seconds(durationMs)} s` : `${bad} FAILED`];
};

const HEAD = ['row', 'faults', 'writes', 'lost', 'double', 'rebuilt equal', 'longest gap, s', 'checks'];

/** The table with its figures, as Markdown. */
export const tableLines = (results: readonly RowResult[]): string[] => [
  `| ${HEAD.join(' | ')} |`,
  `|${HEAD.map(() => '---').join('|')}|`,
  ...results.map((result) => `| ${cells(result).join(' | ')} |`),
];

/** One row's report as lines for a person. */
export const rowLines = (report: RowReport): string[] => [
  `${report.row}, seed ${report.seed}: ${report.faults} faults in ${seconds(report.durationMs)} s, ${report.writes} writes acknowledged`,
  ...(report.gapMs === undefined
    ? []
    : [`  lost ${report.lost}, double ${report.doubled}, longest gap without an acknowledged write ${seconds(report.gapMs)} s`]),
  ...Object.entries(report.figures).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`),
  `  services that ended by themselves: ${report.selfExits.length}`,
  ...report.findings.map(({ ok, check, detail }) => `  ${ok ? 'ok  ' : 'FAIL'} ${check}: ${detail}`),
];
