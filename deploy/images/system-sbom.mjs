// What an image holds beside npm's packages, as CycloneDX JSON on standard output: Debian's packages as dpkg knows them, Node, and where they are there ffmpeg and nats-server. Run
// inside of the image while it is made.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

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
const program = (name, version, purl) => ({ type: 'application', name, version, purl, 'bom-ref': purl });
const programs = [program('node', process.versions.node, `pkg:generic/node@${process.versions.node}`)];

/** Built from Debian's source, which dpkg does not know (build-ffmpeg.sh). */
const ffmpeg = '/usr/share/doc/ffmpeg/version';
if (existsSync(ffmpeg)) {
  const version = readFileSync(ffmpeg, 'utf8').trim();
  programs.push(
    program('ffmpeg', version, `pkg:deb/${valueOf('ID')}/ffmpeg@${encodeURIComponent(version)}?arch=source&distro=${distribution}`),
  );
}

const nats = '/usr/local/bin/nats-server';
if (existsSync(nats)) {
  const version = /v\d\S+/.exec(execFileSync(nats, ['--version'], { encoding: 'utf8' }))[0];
  programs.push(program('nats-server', version, `pkg:golang/github.com/nats-io/nats-server/v2@${version}`));
}

const bill = {
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'operating-system', name: valueOf('ID'), version: valueOf('VERSION_ID'), 'bom-ref': distribution } },
  components: [...programs, ...packages],
};
process.stdout.write(`${JSON.stringify(bill, undefined, 1)}\n`);
