import { read } from './version.mjs';

const UNRELEASED = /^## Unreleased.*$/m;
const NEXT_SECTION = /^## /m;
const TITLES = { breaking: 'Changes that need you', feat: 'New', fix: 'Fixed', perf: 'Faster' };

/**
 * The changelog with the section of a release, and that section's text. What was written under "Unreleased" is the section; without it the commits are.
 * @param date as 2026-11-26
 */
export function release(changelog, { version, date, commits }) {
  const heading = `## ${version} (${date})`;
  const at = UNRELEASED.exec(changelog);
  if (at) {
    const after = changelog.slice(at.index + at[0].length);
    const end = NEXT_SECTION.exec(after)?.index ?? after.length;
    const text = after.slice(0, end).trim();
    return { text, changelog: `${changelog.slice(0, at.index)}${heading}\n\n${text}\n${after.slice(end) && `\n${after.slice(end)}`}` };
  }
  const text = listed(commits);
  const first = NEXT_SECTION.exec(changelog)?.index ?? changelog.length;
  return { text, changelog: `${changelog.slice(0, first)}${heading}\n\n${text}\n\n${changelog.slice(first)}` };
}

function listed(commits) {
  const all = commits.map(read).filter((one) => one !== undefined);
  const groups = Object.keys(TITLES).map((kind) => [
    kind,
    all.filter(({ type, isBreaking }) => (isBreaking ? kind === 'breaking' : type === kind)),
  ]);
  return groups
    .filter(([, found]) => found.length > 0)
    .map(
      ([kind, found]) =>
        `### ${TITLES[kind]}\n\n${found.map(({ scope, text }) => `* ${scope === undefined ? '' : `${scope}: `}${text}.`).join('\n')}`,
    )
    .join('\n\n');
}
