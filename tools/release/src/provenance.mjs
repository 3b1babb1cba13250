import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** SHA-256 of each file below a folder, by its path in there, in order. */
export async function digests(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => relative(folder, join(entry.parentPath, entry.name))).toSorted();
  const found = [];
  for (const path of paths) {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(join(folder, path))) hash.update(chunk);
    found.push({ path, sha256: hash.digest('hex') });
  }
  return found;
}

/** Lines as `sha256sum --check` reads them. */
export const sums = (files) => files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');

/** How the files of a release came to be, as an in-toto statement with SLSA provenance (https://slsa.dev/spec/v1.0/provenance). It is not signed: who publishes it signs it. */
export const provenance = ({ files, version, commit, lockfileSha256, builder, startedOn, finishedOn }) => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: files.map(({ path, sha256 }) => ({ name: path, digest: { sha256 } })),
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'https://github.com/continuo/continuo/blob/main/tools/release/main.mjs',
      externalParameters: { version },
      resolvedDependencies: [
        { uri: 'git+https://github.com/continuo/continuo', digest: { gitCommit: commit } },
        { uri: 'pnpm-lock.yaml', digest: { sha256: lockfileSha256 } },
      ],
    },
    runDetails: { builder: { id: builder }, metadata: { startedOn, finishedOn } },
  },
});
