import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { alerts } from './alerts.js';
import { environment } from './config.js';
import { alertsText, renderAlerts } from './render-alerts.js';

const run = promisify(execFile);
const promtool = environment.promtool;
/** Prometheus' own tool reads the rules and runs them over made-up series. It is in Debian's package `prometheus`, or where PROMTOOL says. */
const hasPromtool = await run(promtool, ['--version']).then(
  () => true,
  () => false,
);

interface Case {
  readonly alert: string;
  /** Condition of the alert. */
  readonly when: string;
  /** Series without the label of the installation, with values a minute in promtool's words. */
  readonly series: Readonly<Record<string, string>>;
  readonly afterMinutes: number;
  /** Labels of the alert beside its severity; absent: it must not fire. */
  readonly fires?: Readonly<Record<string, string>>;
}

const up = 'up{job="continuo",service="gateway"}';
const lag = 'continuo_projection_lag_events{projection="p",state="live"}';
const projected = 'continuo_projection_events_total{projection="p"}';
const waiting = 'continuo_queue_waiting{stream="JOBS_INGEST",consumer="scan"}';
const inFlight = 'continuo_queue_in_flight{stream="JOBS_INGEST",consumer="scan"}';
const answered = 'continuo_http_requests_total{outcome="ok"}';
const failed = 'continuo_http_requests_total{outcome="failed"}';
const refused = 'continuo_http_requests_total{outcome="refused"}';
const places = 'continuo_outbound_requests_total{purpose="places",outcome=';

const cases: readonly Case[] = [
  { alert: 'ContinuoServiceDown', when: 'no copy answers', series: { [up]: '1x5 0x20' }, afterMinutes: 12, fires: { service: 'gateway' } },
  {
    alert: 'ContinuoServiceDown',
    when: 'one of two copies answers',
    series: { 'up{job="continuo",service="gateway",pod="a"}': '0x20', 'up{job="continuo",service="gateway",pod="b"}': '1x20' },
    afterMinutes: 12,
  },
  { alert: 'ContinuoServiceGone', when: 'there was one', series: { [up]: '1x10 _x40' }, afterMinutes: 30, fires: { service: 'gateway' } },
  { alert: 'ContinuoServiceGone', when: 'it is there', series: { [up]: '1x50' }, afterMinutes: 30 },
  {
    alert: 'ContinuoLogFull',
    when: 'one of two copies of a service cannot write',
    series: {
      'continuo_event_log_writable{service="library",pod="a"}': '1x5 0x20',
      'continuo_event_log_writable{service="library",pod="b"}': '1x25',
    },
    afterMinutes: 10,
    fires: { service: 'library' },
  },
  {
    alert: 'ContinuoLogFull',
    when: 'all can write',
    series: { 'continuo_event_log_writable{service="library"}': '1x25' },
    afterMinutes: 10,
  },
  {
    alert: 'ContinuoErrors',
    when: 'two in a hundred fail',
    series: { [answered]: '0+98x40', [failed]: '0+2x40' },
    afterMinutes: 30,
    fires: {},
  },
  {
    alert: 'ContinuoErrors',
    when: 'clients ask for what is not there',
    series: { [answered]: '0+50x40', [refused]: '0+50x40' },
    afterMinutes: 30,
  },
  {
    alert: 'ContinuoProjectionStands',
    when: 'events wait and none is taken',
    series: { [lag]: '3x40', [projected]: '100x40' },
    afterMinutes: 30,
    fires: { projection: 'p' },
  },
  {
    alert: 'ContinuoProjectionStands',
    when: 'it follows, if late',
    series: { [lag]: '9000x40', [projected]: '0+500x40' },
    afterMinutes: 30,
  },
  {
    alert: 'ContinuoProjectionBehind',
    when: 'readers see what was ten minutes ago',
    series: { 'continuo_projection_lag_seconds{projection="p",state="live"}': '600x40' },
    afterMinutes: 30,
    fires: { projection: 'p' },
  },
  {
    alert: 'ContinuoProjectionBehind',
    when: 'new tables are filled beside the old ones',
    series: { 'continuo_projection_lag_seconds{projection="p",state="building"}': '600x40' },
    afterMinutes: 30,
  },
  {
    alert: 'ContinuoJobsWait',
    when: 'nobody takes them',
    series: { [waiting]: '2x40', [inFlight]: '0x40' },
    afterMinutes: 30,
    fires: { consumer: 'scan' },
  },
  { alert: 'ContinuoJobsWait', when: 'somebody is at work', series: { [waiting]: '2x40', [inFlight]: '1x40' }, afterMinutes: 30 },
  {
    alert: 'ContinuoDeadLetters',
    when: 'a job was given up',
    series: { 'continuo_jobs_total{subject="jobs.x",outcome="dead"}': '0x10 1x40' },
    afterMinutes: 30,
    fires: { subject: 'jobs.x' },
  },
  {
    alert: 'ContinuoTranscodersFull',
    when: 'all places of all workers are taken',
    series: { 'continuo_transcode_slots_used{pod="a"}': '2x40', 'continuo_transcode_slots{pod="a"}': '2x40' },
    afterMinutes: 30,
    fires: {},
  },
  {
    alert: 'ContinuoTranscodersFull',
    when: 'another worker has places',
    series: {
      'continuo_transcode_slots_used{pod="a"}': '2x40',
      'continuo_transcode_slots{pod="a"}': '2x40',
      'continuo_transcode_slots{pod="b"}': '2x40',
    },
    afterMinutes: 30,
  },
  {
    alert: 'ContinuoPlacesFail',
    when: 'storage does not answer',
    series: { [`${places}"timeout"}`]: '0+9x40', [`${places}"2xx"}`]: '0+1x40' },
    afterMinutes: 30,
    fires: {},
  },
];

const labelled = (series: string): string => series.replace('{', '{namespace="continuo",');

const testFile = (rules: string, { alert, series, afterMinutes, fires }: Case): object => ({
  rule_files: [rules],
  evaluation_interval: '1m',
  tests: [
    {
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: labelled(name), values })),
      promql_expr_test: [
        {
          expr: `count by (${['alertname', 'severity', ...Object.keys(fires ?? {})].join(', ')}) (ALERTS{alertname="${alert}",alertstate="firing"})`,
          eval_time: `${afterMinutes}m`,
          exp_samples: fires
            ? [
                {
                  labels: `{alertname="${alert}", severity="${alerts.find(({ name }) => name === alert)?.severity}"${Object.entries(fires)
                    .map(([label, value]) => `, ${label}="${value}"`)
                    .join('')}}`,
                  value: 1,
                },
              ]
            : [],
        },
      ],
    },
  ],
});

let folder: string;
let rules: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-alerts-'));
  rules = join(folder, 'alerts.yaml');
  await writeFile(rules, alertsText({ groups: renderAlerts(alerts, 'namespace="continuo"') }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(!hasPromtool)('alerts, by promtool (skipped where there is none)', () => {
  it('are rules that Prometheus takes', async () => {
    expect((await run(promtool, ['check', 'rules', rules])).stdout).toContain(`${alerts.length} rules found`);
  });

  it.each(cases.map((one) => [one.alert, one.fires ? 'fires' : 'is silent', one.when, one] as const))(
    '%s %s when %s',
    async (_alert, _does, _when, one) => {
      const file = join(folder, `${one.alert}-${cases.indexOf(one)}.yaml`);
      await writeFile(file, stringify(testFile(rules, one)));
      const answer = await run(promtool, ['test', 'rules', file]).catch((error: unknown) => error as { stdout: string; stderr: string });
      expect(`${answer.stdout}${answer.stderr}`).toContain('SUCCESS');
    },
  );
});
