import { posix } from 'node:path';

/** Statements start a line: what is imported or exported, and from where. */
const STATEMENT = /^(?:import|export)\b([^;'"]*?)\bfrom\s*['"]([^'"]+)['"];?/gm;
/** Modules that are named in other ways: imports for their effects or at run time, programs of threads and processes. */
const NAMED = /\bimport\(?\s*['"]([^'"]+)['"]|['"`](\.{1,2}\/[^'"`\s]*\.(?:[tj]s|\$\{\w+\}))['"`]/g;
const DECLARED = /^export (?:(?:declare|abstract|async) )*(?:interface|type|const|let|class|function\*?|enum) (\w+)/gm;
const COMMENT = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;
const PROGRAM = /(?:^|\/|\.)main\.tsx?$|^contracts\/client\/src\/index\.ts$/;
const ALL = '*';

/**
 * Files that no program needs: only specs import them, directly or through other such files. Of an index only those names count that others
 * import from it; entries of packages are never at fault.
 * @param files texts by path, without specs
 * @param entries paths by the name that other packages import
 */
export function unreachedFaults(files, entries) {
  const modules = new Map([...files].map(([path, text]) => [path, moduleOf(text)]));
  const targetsOf = (from, target) => resolved(from, target, files, entries);
  const needed = new Map();
  const need = (path, name) => {
    const names = needed.get(path) ?? new Set();
    if (names.has(name) || !modules.has(path)) return;
    needed.set(path, names.add(name));
    const { isIndex, references } = modules.get(path);
    if (!isIndex && names.size > 1) return;
    for (const reference of references)
      for (const target of targetsOf(path, reference.target))
        for (const wanted of isIndex ? handedOn(reference.names, name, target) : reference.names.values()) need(target, wanted);
  };
  /** Names that an index takes from another file for one of its names. */
  const handedOn = (names, name, target) => {
    if (name === ALL) return [...names.values()];
    if (names.has(name)) return [names.get(name)];
    return names.has(ALL) && declares(target, name) ? [name] : [];
  };
  const declares = (path, name) => {
    const { isIndex, declared, references } = modules.get(path) ?? moduleOf('');
    if (!isIndex) return declared.has(name);
    return references.some(({ names, target }) => targetsOf(path, target).some((next) => handedOn(names, name, next).length > 0));
  };
  for (const path of files.keys()) if (PROGRAM.test(path)) need(path, ALL);
  const ends = new Set(entries.values());
  return [...files.keys()]
    .filter((path) => !needed.has(path) && !ends.has(path))
    .map((path) => ({ path, line: 1, text: 'only specs need this file, so it belongs to test/' }));
}

function moduleOf(text) {
  const rest = text.replaceAll(STATEMENT, '');
  const statements = [...text.matchAll(STATEMENT)].map(([, clause, target]) => ({ target, names: namesIn(clause) }));
  const named = [...rest.matchAll(NAMED)].map(([, module, path]) => ({ target: module ?? path, names: new Map([[ALL, ALL]]) }));
  return {
    isIndex: rest.replaceAll(COMMENT, '').trim() === '',
    declared: new Set([...text.matchAll(DECLARED)].map(([, name]) => name)),
    references: [...statements, ...named],
  };
}

/** Names of a clause: as they are called here, to what they are called where they come from. */
function namesIn(clause) {
  const list = /\{([^}]*)\}/.exec(clause)?.[1];
  if (list === undefined) return new Map([[ALL, ALL]]);
  const parts = list.split(',').map((part) => part.trim().replace(/^type /, ''));
  return new Map(
    parts
      .filter(Boolean)
      .map((part) => part.split(' as '))
      .map(([there, here = there]) => [here, there]),
  );
}

/** The files that a module's name stands for: several where a part is filled in at run time, none of packages of others. */
function resolved(from, target, files, entries) {
  if (!target.startsWith('.')) return entries.has(target) ? [entries.get(target)] : [];
  const path = posix.join(posix.dirname(from), target).replace(/\.js$/, '.ts');
  if (!path.includes('${')) return [files.has(`${path}x`) ? `${path}x` : path];
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\$\{\w+\}/g, '[^/]+')}$`);
  return [...files.keys()].filter((file) => pattern.test(file));
}
