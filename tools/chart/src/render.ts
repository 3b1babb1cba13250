import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { config } from './config.js';

const run = promisify(execFile);

/** The folder of the chart. */
export const chart = resolve(import.meta.dirname, '../../../helm/continuo');

/** One object as it would be sent to Kubernetes; what it holds depends on its kind. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape of each kind is checked against the schemas of Kubernetes
  readonly [part: string]: any;
}

/** Names of the value sets that come with the chart: `ci/<name>-values.yaml`. */
export const valueSets: readonly string[] = readdirSync(join(chart, 'ci'))
  .filter((name) => name.endsWith('-values.yaml'))
  .map((name) => name.slice(0, -'-values.yaml'.length));

/** Rendered chart and its values. */
export interface Rendering {
  /** One of the value sets. */
  readonly values?: string;
  /** Further values, as `--set-json` takes them: path and JSON. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** Release of Kubernetes, such as `1.33.0`. */
  readonly kubernetes?: string;
}

const helm = async (args: readonly string[]): Promise<string> => {
  if (config.helm === undefined) throw new Error('there is no helm');
  return (await run(config.helm, [...args], { maxBuffer: 32 * 1024 * 1024 })).stdout;
};

const valueArguments = ({ values, set, kubernetes = '1.33.0' }: Rendering): string[] => [
  '--kube-version',
  kubernetes,
  ...(values === undefined ? [] : ['--values', join(chart, 'ci', `${values}-values.yaml`)]),
  ...Object.entries(set ?? {}).flatMap(([path, value]) => ['--set-json', `${path}=${JSON.stringify(value)}`]),
];

/** The objects of a release `music` in the namespace `media`. @throws Error with what helm says when the values cannot be used. */
export const render = async (rendering: Rendering = {}): Promise<readonly KubernetesObject[]> => {
  const text = await helm(['template', 'music', chart, '--namespace', 'media', ...valueArguments(rendering)]);
  const documents = parseAllDocuments(text);
  for (const { errors } of documents) if (errors[0]) throw errors[0];
  return documents.map((document) => document.toJS() as KubernetesObject | null).filter((object) => object !== null);
};

/** Complaints of `helm lint --strict`. */
export const lint = async (rendering: Rendering): Promise<string[]> => {
  const text = await helm(['lint', '--strict', chart, ...valueArguments(rendering)]);
  return text.split('\n').filter((line) => /^\[(WARNING|ERROR)\]/.test(line));
};
