/** A commit as the release reads it. @typedef {{ hash: string, subject: string, body: string }} Commit */

const CONVENTIONAL = /^(?<type>[a-z]+)(?:\((?<scope>[^)]+)\))?(?<breaking>!)?: (?<text>.+)$/;

/** A conventional commit's parts; undefined for another one. */
export function read({ hash, subject, body }) {
  const parts = CONVENTIONAL.exec(subject)?.groups;
  return (
    parts && {
      hash,
      type: parts.type,
      scope: parts.scope,
      text: parts.text,
      isBreaking: parts.breaking === '!' || /^BREAKING CHANGE: /m.test(body),
    }
  );
}

/** Where the version stands in the sources: in which files, and behind what. */
const PLACES = [
  [['package.json', '*/package.json'], /^ {2}"version": "/],
  [['helm/continuo/Chart.yaml'], /^(?:version|appVersion): /],
  [['helm/continuo/ci'], /^ {2}tag: /],
  [['deploy/images/Dockerfile'], /^ARG VERSION=/],
  [['deploy'], /CONTINUO_VERSION(?::-|=)/],
  [['docs/operate'], /continuo-[a-z]+:/],
  [['contracts/openapi'], /^ {2}"version": "|"server(?:Version)?": "/],
  [['contracts/golden'], /server(?:Version)?(?:="|":"|><!\[CDATA\[)/],
];

/**
 * The sources in which the version stands, with another one in its place.
 * @param list paths of the sources that match patterns of git
 * @returns the new text by path
 */
export function withVersion(version, { list, read: textOf }) {
  const texts = new Map();
  for (const [patterns, before] of PLACES) {
    const place = new RegExp(`(${before.source})\\d+\\.\\d+\\.\\d+`, 'gm');
    for (const path of list(patterns)) {
      const text = texts.get(path) ?? textOf(path);
      const changed = text.replaceAll(place, `$1${version}`);
      if (changed !== text) texts.set(path, changed);
    }
  }
  return texts;
}

/**
 * The next version by semantic versioning: what breaks raises the first number, a feature the second, a fix the third. Below 1.0.0 what breaks raises the second.
 * @param last version of the release before; undefined before the first one, which is `first`
 * @throws Error when no commit is for users
 */
export function nextVersion(last, first, commits) {
  if (last === undefined) return first;
  const conventional = commits.map(read).filter((one) => one !== undefined);
  const [major, minor, patch] = last.split('.').map(Number);
  const breaks = conventional.some(({ isBreaking }) => isBreaking);
  if (breaks && major > 0) return `${major + 1}.0.0`;
  if (breaks || conventional.some(({ type }) => type === 'feat')) return `${major}.${minor + 1}.0`;
  if (conventional.some(({ type }) => type === 'fix' || type === 'perf')) return `${major}.${minor}.${patch + 1}`;
  throw new Error(`nothing for users has changed since ${last}: there is no commit of type feat, fix or perf`);
}
