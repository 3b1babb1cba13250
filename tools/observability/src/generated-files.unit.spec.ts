import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { alerts } from './alerts.js';
import { queriedMetrics } from './queried-metrics.js';
import { dashboards } from './dashboards/index.js';
import { generatedFiles, projectFolder } from './files.js';
import { within } from './render-dashboard.js';

const read = (path: string): Promise<string> => readFile(join(projectFolder, path), 'utf8');

describe('generated files', () => {
  it.each([...generatedFiles()])('%s is what the tables say', async (path, text) => {
    expect(parse(await read(path))).toEqual(parse(text));
  });

  it('are all that lies beside them', async () => {
    const folder = 'helm/continuo/files/dashboards';
    expect((await readdir(join(projectFolder, folder))).toSorted()).toEqual(dashboards.map(({ uid }) => `${uid}.json`).toSorted());
  });
});

describe('every alert', () => {
  it('has a name of its own, and a word on what to do', () => {
    expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length);
    for (const { name, remedy, summary } of alerts) {
      expect(name).toMatch(/^Continuo[A-Z]\w+$/);
      expect([name, remedy.length > 40, summary.length > 10]).toEqual([name, true, true]);
    }
  });

  it('is explained in the handbook', async () => {
    const handbook = await read('docs/operate/observability.md');
    for (const { name } of alerts) expect(handbook).toContain(`### ${name}`);
  });

  it('asks for one installation only', () => {
    for (const { expr } of alerts)
      for (const { metric, labels } of queriedMetrics(within(expr, 'namespace="x"')))
        expect([metric, labels.has('namespace')]).toEqual([metric, true]);
  });
});

describe('every panel', () => {
  it('says what it shows, and asks for one installation only', () => {
    for (const { panels } of dashboards.flatMap(({ rows }) => rows)) {
      for (const { title, says, queries } of panels) {
        expect([title, says.length > 10]).toEqual([title, true]);
        for (const { expr } of queries)
          for (const { labels } of queriedMetrics(within(expr, 'namespace="$namespace"').replaceAll('$__rate_interval', '5m')))
            expect([title, labels.has('namespace')]).toEqual([title, true]);
      }
    }
  });
});

describe('expressions', () => {
  it('are read with the labels that they pick and add up by', () => {
    const [first, second, ...others] = queriedMetrics(
      'topk(3, sum by (a, b) (rate(x_total{c="1"}[5m]))) / ignoring (b) group_left () max(y)',
    );
    expect([first?.metric, [...(first?.labels ?? [])].toSorted()]).toEqual(['x_total', ['a', 'b', 'c']]);
    expect([second?.metric, [...(second?.labels ?? [])], others]).toEqual(['y', [], []]);
    expect(() => queriedMetrics('sum by (')).toThrow(/not PromQL/);
  });
});
