import { Gauge } from 'prom-client';
import { expect, it } from 'vitest';
import { createMetrics, metricsText } from './metrics.js';

it('metrics of services that share a process are told together and told apart', async () => {
  const [gateway, library] = [createMetrics('gateway'), createMetrics('library')];
  gateway.jobs.inc({ subject: 'a', outcome: 'done' });
  library.jobs.inc({ subject: 'a', outcome: 'done' }, 2);
  library.commandSeconds.observe({ subject: 'x', outcome: 'ok' }, 0.002);
  new Gauge({ name: 'continuo_spec_only', help: 'of one alone', registers: [library.registry] }).set(7);
  const text = await metricsText({ ...gateway, beside: [library.registry] });
  const lines = text.split('\n');
  expect(lines.filter((line) => line.startsWith('continuo_jobs_total'))).toEqual([
    expect.stringMatching(/service="gateway".* 1$/),
    expect.stringMatching(/service="library".* 2$/),
  ]);
  expect(text).toMatch(
    /continuo_command_seconds_bucket\{.*le="0.0025".*service="library".*\} 1|continuo_command_seconds_bucket\{.*service="library".*le="0.0025".*\} 1/,
  );
  expect(text).toMatch(/continuo_spec_only\{service="library"\} 7/);
  expect(lines.filter((line) => line.startsWith('# TYPE continuo_jobs_total'))).toHaveLength(1);
  // Asking changes nothing.
  expect(await metricsText({ ...gateway, beside: [library.registry] })).toBe(text);
  expect(await metricsText(gateway)).toBe(await gateway.registry.metrics());
});
