import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startServerProcess } from '../child/server-process.js';
import { untilAnswering } from '../child/until-answering.js';
import { config } from '../config.js';
import { LocalServerError } from '../error.js';
import { freePort } from '../free-port.js';
import { locateProgram } from '../locate-program.js';

/** The path of an OpenLDAP server: `SLAPD_BIN`, else the first in PATH; undefined when there is none. */
export const locateSlapd = (): string | undefined => locateProgram('slapd', config.slapdBin);

/** A directory of a test. Whoever binds as its administrator reads all of it. */
export interface TestSlapd {
  readonly url: string;
  /** Below it are `ou=people` and `ou=groups`. */
  readonly suffix: string;
  readonly administrator: { readonly dn: string; readonly password: string };
  readonly stop: () => Promise<void>;
}

/** Somebody in the directory. */
export interface DirectoryPerson {
  readonly name: string;
  readonly password: string;
  readonly groups: readonly string[];
}

const SUFFIX = 'dc=example,dc=org';
const ADMINISTRATOR = { dn: `cn=admin,${SUFFIX}`, password: 'the administrator of the directory' };
/** Folders in which systems keep the schemas and modules of OpenLDAP. */
const SCHEMAS = ['/etc/ldap/schema', '/etc/openldap/schema'];
const MODULES = ['/usr/lib/ldap', '/usr/lib64/openldap', '/usr/libexec/openldap'];

const configOf = (folder: string): string =>
  [
    ...['core', 'cosine', 'inetorgperson'].map((name) => `include ${SCHEMAS.find(existsSync) ?? ''}/${name}.schema`),
    ...MODULES.filter(existsSync).map((path) => `modulepath ${path}\nmoduleload back_mdb`),
    'database mdb',
    `suffix "${SUFFIX}"`,
    `directory ${folder}/data`,
    `rootdn "${ADMINISTRATOR.dn}"`,
    `rootpw "${ADMINISTRATOR.password}"`,
    '',
  ].join('\n');

const entriesOf = (people: readonly DirectoryPerson[]): string => {
  const groups = [...new Set(people.flatMap((person) => person.groups))];
  const dnOf = (name: string): string => `uid=${name},ou=people,${SUFFIX}`;
  const entries = [
    [`dn: ${SUFFIX}`, 'objectClass: dcObject', 'objectClass: organization', 'dc: example', 'o: example'],
    ...['people', 'groups'].map((name) => [`dn: ou=${name},${SUFFIX}`, 'objectClass: organizationalUnit', `ou: ${name}`]),
    ...people.map(({ name, password }) => [
      `dn: ${dnOf(name)}`,
      'objectClass: inetOrgPerson',
      `uid: ${name}`,
      `cn: ${name}`,
      `givenName: ${name}`,
      'sn: Example',
      `mail: ${name}@example.org`,
      `userPassword: ${password}`,
    ]),
    ...groups.map((group) => [
      `dn: cn=${group},ou=groups,${SUFFIX}`,
      'objectClass: groupOfNames',
      `cn: ${group}`,
      ...people.filter((person) => person.groups.includes(group)).map(({ name }) => `member: ${dnOf(name)}`),
    ]),
  ];
  return entries.map((lines) => `${lines.join('\n')}\n`).join('\n');
};

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/**
 * Starts an OpenLDAP server with these people and groups on 127.0.0.1.
 * @throws LocalServerError when there is no program ({@link locateSlapd}) or it does not start
 */
export const testSlapd = async (people: readonly DirectoryPerson[]): Promise<TestSlapd> => {
  const bin = locateSlapd();
  if (bin === undefined) throw new LocalServerError('no slapd found; install OpenLDAP or set SLAPD_BIN');
  const folder = await mkdtemp(join(tmpdir(), 'continuo-slapd-'));
  const [settings, entries] = [join(folder, 'slapd.conf'), join(folder, 'people.ldif')];
  await mkdir(join(folder, 'data'));
  await writeFile(settings, configOf(folder));
  await writeFile(entries, entriesOf(people));
  await promisify(execFile)(join(dirname(bin), 'slapadd'), ['-f', settings, '-l', entries]);
  const port = await freePort();
  const url = `ldap://127.0.0.1:${port}`;
  const args = ['-d', '0', '-f', settings, '-h', url];
  const child = await startServerProcess({ name: 'slapd', bin, args, cwd: folder, stopSignal: 'TERM', removeAfterCrash: folder });
  await untilAnswering('slapd', child, () => listens(port));
  return {
    url,
    suffix: SUFFIX,
    administrator: ADMINISTRATOR,
    stop: async () => {
      await child.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
