import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { images, services, WHOLE } from './packages.mjs';

const SPEC_VERSION = '1.6';

/** Licences that old packages tell in a form that pnpm does not read. */
const LICENCES = { 'pkg:npm/async@0.2.10': 'MIT' };

/**
 * Lists the npm packages of an image, with or without the database: the production dependencies of its programs by the lockfile and what the web page is made of, each with version, licence and the hash of its
 * archive, as CycloneDX JSON. The same lockfile gives the same bytes; `SOURCE_DATE_EPOCH` says the time, without it none is said.
 * @throws Error when pnpm cannot say it
 */
export function billOf(hasDatabase) {
  const bills = [...services, 'continuo-cli', ...(hasDatabase ? [WHOLE] : [])].map((name) => pnpmBill(name, ['--prod']));
  const programs = bills.map(({ metadata }) => metadata.component);
  const [{ metadata, ...first }] = bills;
  const { group: _, ...whole } = { ...metadata.component, name: 'continuo', purl: wholeRef(metadata), 'bom-ref': wholeRef(metadata) };
  return settled({
    ...first,
    metadata: { ...metadata, component: whole },
    components: onceEach([...programs, ...bills.flatMap(({ components }) => components), ...ofWebPage()], (one) => one['bom-ref']),
    dependencies: onceEach(
      [{ ref: whole['bom-ref'], dependsOn: programs.map((one) => one['bom-ref']) }, ...bills.flatMap(({ dependencies }) => dependencies)],
      ({ ref }) => ref,
    ),
  });
}

/** How other parts of a bill name the whole of our programs, which is no package of the workspace. */
const wholeRef = ({ component }) => `pkg:npm/continuo@${component.version}`;

/** The first of those that share a key. */
const onceEach = (all, keyOf) => [...new Map(all.toReversed().map((one) => [keyOf(one), one])).values()];

/** The packages that the built web page is made of: they are no dependencies of the gateway, which serves it. */
function ofWebPage() {
  const bundled = new Set(JSON.parse(readFileSync(WEB_LICENCES, 'utf8')).map(({ name, version }) => `${name}@${version}`));
  return pnpmBill('web', []).components.filter((one) => bundled.has(idOf(one)));
}

const WEB_LICENCES = resolve(import.meta.dirname, '../../services/web/page/licences.json');
const idOf = ({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name}@${version}`;

function pnpmBill(name, kinds) {
  const folder = mkdtempSync(join(tmpdir(), 'continuo-sbom-'));
  try {
    const file = join(folder, 'bill.json');
    const args = [
      'sbom',
      ...kinds,
      '--sbom-format',
      'cyclonedx',
      '--sbom-type',
      'application',
      '--sbom-spec-version',
      SPEC_VERSION,
      '--out',
      file,
    ];
    const { status } = spawnSync('pnpm', ['--filter', `@continuo/${name}`, ...args], {
      cwd: resolve(import.meta.dirname, '../..'),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error(`pnpm could not list what ${name} needs`);
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Takes out of a bill what differs from one making to the next: its time, its number, the order of its parts. */
function settled(bill) {
  const components = bill.components.map(licensed).toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
  const dependencies = bill.dependencies
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.toSorted() }))
    .toSorted((a, b) => (a.ref < b.ref ? -1 : 1));
  const metadata = { ...bill.metadata };
  delete metadata.timestamp;
  const serialNumber = uuidOf(JSON.stringify([metadata.component, components]));
  const epoch = process.env.SOURCE_DATE_EPOCH; // oxlint-disable-line node/no-process-env -- what reproducible builds agreed on
  if (epoch) metadata.timestamp = new Date(Number(epoch) * 1000).toISOString();
  return { ...bill, serialNumber, metadata, components, dependencies };
}

const licensed = (component) => {
  const id = LICENCES[component.purl];
  return component.licenses || !id ? component : { ...component, licenses: [{ license: { id } }] };
};

/** A number that follows from what it numbers. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex[16], 16) & 0x3) | 0x8).toString(16);
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Writes the bill of each image into a folder. */
function writeBills(folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of images) writeFileSync(join(folder, `${name}.cdx.json`), `${JSON.stringify(billOf(name === WHOLE), undefined, 1)}\n`);
}

if (process.argv[1] === import.meta.filename) writeBills(resolve(process.argv[2] ?? 'sbom'));
