/** Reads what is asked of a lockfile of pnpm (version 9): packages with how they are fetched, and who needs whom. It is written by a program, two blanks per level. */
export function readLockfile(text) {
  const sections = sectionsOf(text);
  return {
    packages: new Map([...(sections.get('packages') ?? [])].map(([name, lines]) => [name, resolutionOf(lines)])),
    snapshots: new Map(
      [...(sections.get('snapshots') ?? [])].map(([name, lines]) => [
        name,
        versionsUnder(lines, ['dependencies', 'optionalDependencies'], 4),
      ]),
    ),
    importers: new Map([...(sections.get('importers') ?? [])].map(([folder, lines]) => [folder, importsOf(lines)])),
  };
}

const unquoted = (key) => key.replace(/^'(.*)'$/, '$1');

/** Lines of each entry of each section. */
function sectionsOf(text) {
  const sections = new Map();
  let entries;
  let lines;
  for (const line of text.split('\n')) {
    const section = /^(\w+):\s*$/.exec(line);
    const entry = /^ {2}('[^']+'|[^\s:][^:]*(?::[^\s:][^:]*)*):(?: \{\})?\s*$/.exec(line);
    if (section) sections.set(section[1], (entries = new Map()));
    else if (entry && entries) entries.set(unquoted(entry[1]), (lines = []));
    else if (lines && line.startsWith('    ')) lines.push(line);
  }
  return sections;
}

function resolutionOf(lines) {
  const at = lines.findIndex((line) => line.startsWith('    resolution:'));
  if (at < 0) return '';
  const more = lines.slice(at + 1).findIndex((line) => !line.startsWith('      '));
  return lines.slice(at, more < 0 ? undefined : at + 1 + more).join('\n');
}

/** Names with versions, `name@version`, under some keys. */
function versionsUnder(lines, keys, indent) {
  const blank = ' '.repeat(indent);
  const found = [];
  let isWanted = false;
  for (const line of lines) {
    if (!line.startsWith(`${blank} `)) isWanted = keys.some((key) => line === `${blank}${key}:`);
    else if (isWanted) {
      const [, name, version] = /^\s+('[^']+'|[^\s:]+): (.+)$/.exec(line) ?? [];
      if (name !== undefined) found.push(packageOf(unquoted(name), unquoted(version)));
    }
  }
  return found;
}

/** `npm:other@1.0.0` and versions with a name of their own are another package than they are called. */
const packageOf = (name, version) => (/^(?:@[\w.-]+\/)?[A-Za-z][\w.-]*@\d/.test(version) ? version : `${name}@${version}`);

/** Runtime dependencies of an importer. */
function importsOf(lines) {
  const found = [];
  let isWanted = false;
  let name;
  for (const line of lines) {
    if (/^ {4}\S/.test(line)) isWanted = line === '    dependencies:' || line === '    optionalDependencies:';
    else if (isWanted) {
      const [, key] = /^ {6}('[^']+'|[^\s:]+):$/.exec(line) ?? [];
      const [, version] = /^ {8}version: (.+)$/.exec(line) ?? [];
      if (key !== undefined) name = unquoted(key);
      else if (version !== undefined)
        found.push(version.startsWith('link:') ? { link: version.slice('link:'.length) } : { name: packageOf(name, unquoted(version)) });
    }
  }
  return found;
}
