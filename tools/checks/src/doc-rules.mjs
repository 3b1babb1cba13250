/** Fenced code, which holds no links; its lines stay, so that numbers of lines are right. */
const FENCE = /^```.*?^```/gms;
const LINK = /!?\[(?:[^\][]|\[[^\]]*\])*\]\((?<target>[^)\s]+)\)/g;
const HEADING = /^#{1,6} (?<title>.+)$/gm;
const SETTING = /`(?<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g;
const TABLE_ROW = /^\|[^|]*\|/gm;

const withoutCode = (text) => text.replaceAll(FENCE, (block) => block.replaceAll(/[^\n]/g, ''));
const lineOf = (text, index) => text.slice(0, index).split('\n').length;

/** The name under which a heading is linked to, as the usual hosts of Markdown make it. */
const anchorOf = (title) =>
  title
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const anchorsOf = (text) => new Set([...withoutCode(text).matchAll(HEADING)].map(({ groups }) => anchorOf(groups.title)));

/** The path that a relative link means, seen from the root; null for one that leads out of the repository. */
const resolved = (from, to) => {
  const parts = to.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of to.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
};

/**
 * Links and pictures of a page that lead nowhere.
 * @param file `{ path, text }`, the path seen from the root, with `/`
 * @param world `exists(path)`, and `read(path)` for the text of another page
 */
export const linkFaults = ({ path, text }, { exists, read }) => {
  const faults = [];
  const plain = withoutCode(text);
  for (const match of plain.matchAll(LINK)) {
    const { target } = match.groups;
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) continue;
    const [to, anchor] = target.split('#');
    const place = to === '' ? path : resolved(path, decodeURIComponent(to));
    const line = lineOf(plain, match.index);
    if (place === null || !exists(place)) faults.push({ path, line, text: `leads to ${to}, which is not there` });
    else if (anchor && place.endsWith('.md') && !anchorsOf(place === path ? text : read(place)).has(anchor))
      faults.push({ path, line, text: `leads to #${anchor}, which is no heading of ${place}` });
  }
  return faults;
};

/** The settings that the tables of a page describe: what stands in the first column. */
export const settingsOf = (text) =>
  new Set([...text.matchAll(TABLE_ROW)].flatMap(([row]) => [...row.matchAll(SETTING)].map(({ groups }) => groups.name)));

/** Settings that a page names and nothing knows. */
export const settingFaults = ({ path, text }, known) =>
  [...withoutCode(text).matchAll(SETTING)]
    .filter(({ groups }) => !known.has(groups.name))
    .map((match) => ({ path, line: lineOf(text, match.index), text: `names ${match.groups.name}, which is no setting` }));
