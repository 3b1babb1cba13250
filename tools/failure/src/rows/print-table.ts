import type { Finding } from '../checks/finding.js';
import type { Row, RowReport } from './row.js';

/** What became of a row. */
export type RowResult =
  | { readonly row: Row; readonly report: RowReport }
  | { readonly row: Row; readonly skipped: string }
  | { readonly row: Row; readonly failed: string };

/** The checks of a row that did not hold. */
export const rowFailures = ({ findings }: RowReport): readonly Finding[] => findings.filter(({ ok }) => !ok);

/** Whether nothing went wrong; a row that was skipped did not go wrong. */
export const isGood = (result: RowResult): boolean =>
  'skipped' in result || ('report' in result && rowFailures(result.report).length === 0);

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

const cells = (result: RowResult): readonly string[] => {
  const { name } = result.row;
  if ('skipped' in result) return [name, `skipped: ${result.skipped}`, '', '', '', '', '', ''];
  if ('failed' in result) return [name, `FAILED: ${result.failed}`, '', '', '', '', '', ''];
  const { faults, writes, lost, doubled, rebuiltEqual, gapMs, durationMs } = result.report;
  const bad = rowFailures(result.report).length;
  const figures = [faults, writes, lost, doubled].map(String);
  return [name, ...figures, rebuiltEqual ? 'yes' : 'NO', seconds(gapMs), bad === 0 ? `held, ${seconds(durationMs)} s` : `${bad} FAILED`];
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
  `${report.row}, seed ${report.seed}: ${report.faults} faults in ${seconds(report.durationMs)} s, ${report.writes} writes acknowledged, ` +
    `lost ${report.lost}, double ${report.doubled}, rebuilt ${report.rebuiltEqual ? 'equal' : 'DIFFERENT'}, longest gap ${seconds(report.gapMs)} s`,
  ...Object.entries(report.figures).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`),
  `  services that ended by themselves: ${report.selfExits.length}`,
  ...report.findings.map(({ ok, check, detail }) => `  ${ok ? 'ok  ' : 'FAIL'} ${check}: ${detail}`),
];
