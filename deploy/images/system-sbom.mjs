// What an image holds beside npm's packages, as CycloneDX JSON on standard output: Debian's packages as dpkg knows them, and Node. Run inside of the image while it is made.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const release = readFileSync('/etc/os-release', 'utf8');
const valueOf = (name) => new RegExp(`^${name}="?([^"\n]*)`, 'm').exec(release)?.[1] ?? 'unknown';
const distribution = `${valueOf('ID')}-${valueOf('VERSION_ID')}`;

const format = '${db:Status-Abbrev}\t${Package}\t${Version}\t${Architecture}\t${source:Package}\n';
const packages = execFileSync('dpkg-query', ['--show', '--showformat', format], { encoding: 'utf8' })
  .split('\n')
  .map((line) => line.split('\t'))
  .filter(([status]) => status?.startsWith('ii'))
  .map(([, name, version, architecture, source]) => {
    const purl = `pkg:deb/${valueOf('ID')}/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=${distribution}`;
    return { type: 'library', name, version, purl, 'bom-ref': purl, properties: [{ name: 'debian:source', value: source }] };
  });
const node = { type: 'application', name: 'node', version: process.versions.node, purl: `pkg:generic/node@${process.versions.node}` };

const bill = {
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'operating-system', name: valueOf('ID'), version: valueOf('VERSION_ID'), 'bom-ref': distribution } },
  components: [{ ...node, 'bom-ref': node.purl }, ...packages],
};
process.stdout.write(`${JSON.stringify(bill, undefined, 1)}\n`);
