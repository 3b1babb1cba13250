/** Paths that pages name: inline code, comments of examples that say which file follows, and trees of folders. */
const FENCE = /^```.*?^```/gms;
const TREE = /^```text\n(?<tree>.*?)^```/gms;
const INLINE = /`(?<name>[^`\s]+)`(?<after> \(new\))?/g;
const FILE_COMMENT = /^\s*\/\/ (?<name>[\w./-]+\.(?:ts|mjs|js))\b/gm;
/** Endings of files (`.decider.ts`), and folders that are made when a checkout is set up. */
const NO_PATH = /^(?:\.[\w.]+\.ts$|\.cache(?:\/|$))/;
const FOLDER_OR_FILE = /^[\w.*{},<>-]+(?:\/[\w.*{},<>-]*)+$/;
const FILE_NAME = /^[\w.*{},<>-]+\.(?:ts|mjs|md|json|yaml)$/;

const lineOf = (text, index) => text.slice(0, index).split('\n').length;

/** `a/{b,c}.ts` as `a/b.ts` and `a/c.ts`. */
const alternatives = (name) => {
  const match = /\{(?<list>[^{}]*)\}/.exec(name);
  return match ? match.groups.list.split(',').flatMap((one) => alternatives(name.replace(match[0], one))) : [name];
};

/** A pattern for the end of a path: `*` and `<placeholder>` stand for any part of one name. */
const patternOf = (name) => {
  const parts = name.replace(/\/$/, '').split(/<[^>]*>|\*/);
  return new RegExp(`(?:^|/)${parts.map((part) => part.replaceAll(/[.+?^$()|[\]\\]/g, '\\$&')).join('[^/]*')}$`);
};

/** Whether every alternative of a name is the end of a path of the repository, below `base` where one is given. */
const isThere = (name, paths, base = '') => {
  if (NO_PATH.test(name)) return true;
  const below = base === '' ? paths : paths.filter((path) => path === base || path.startsWith(`${base}/`));
  return alternatives(name).every((one) => {
    const pattern = patternOf(one);
    return below.some((path) => pattern.test(path));
  });
};

/** Names in the lines of a tree, each with the folder that its indentation puts it below. */
const treeNames = (tree) => {
  let base = '';
  return tree.split('\n').flatMap((line, offset) => {
    const names = line
      .trim()
      .split(/\s{2,}/)
      .filter((part) => FOLDER_OR_FILE.test(part) || FILE_NAME.test(part));
    if (!line.startsWith(' ')) {
      base = names.length === 1 && names[0].endsWith('/') ? names[0].slice(0, -1) : '';
      return names.map((name) => ({ name, base: '', offset }));
    }
    return names.map((name) => ({ name, base, offset }));
  });
};

/**
 * Paths that a page names and the repository does not have. A path may be cut at its beginning (`reads/lists.ts`); one that the reader is
 * to create is followed by "(new)".
 * @param file `{ path, text }`
 * @param paths every file and folder of the repository, with `/`, seen from the root
 */
export const pathFaults = ({ path, text }, paths) => {
  const faults = [];
  const report = (name, line) => faults.push({ path, line, text: `names ${name}, which is not there` });
  const created = new Set([...text.matchAll(INLINE)].flatMap(({ groups }) => (groups.after ? [groups.name] : [])));
  const isCreated = (name) => [...created].some((one) => one === name || one.endsWith(`/${name}`));
  const prose = text.replaceAll(FENCE, (block) => block.replaceAll(/[^\n]/g, ''));
  for (const { groups, index } of prose.matchAll(INLINE)) {
    const { name } = groups;
    if ((FOLDER_OR_FILE.test(name) || FILE_NAME.test(name)) && !isCreated(name) && !isThere(name, paths))
      report(name, lineOf(prose, index));
  }
  for (const { groups, index } of text.matchAll(FILE_COMMENT))
    if (!isCreated(groups.name) && !isThere(groups.name, paths)) report(groups.name, lineOf(text, index));
  for (const { groups, index } of text.matchAll(TREE))
    for (const { name, base, offset } of treeNames(groups.tree))
      if (!isThere(name, paths, base)) report(base === '' ? name : `${base}/${name}`, lineOf(text, index) + 1 + offset);
  return faults;
};
