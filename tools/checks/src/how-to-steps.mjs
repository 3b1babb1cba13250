/**
 * Steps of a how-to page: fenced TypeScript whose first line says after the language what it is to a file.
 *
 *     ```ts path                    stands in the file as it is; a line `…` leaves lines out
 *     ```ts new path                is the whole of a new file
 *     ```ts path after "text"       follows the only line of the file that holds the text
 *     ```ts path before "text"      comes before it
 *     ```ts path instead of "text"  takes its place
 */
const FENCE = /^```ts\b(?<target>[^\n]*)\n(?<code>.*?)^```/gms;
const TARGET = /^ (?<isNew>new )?(?<path>[\w./-]+\.(?:ts|mjs))(?: (?<place>after|before|instead of) "(?<anchor>.+)")?$/;
const ELLIPSIS = /^\s*(?:\/\/ )?…\s*$/m;

/** Formatting does not count: neither white space nor the comma that the formatter puts at the end of a list. */
const plain = (text) => text.replaceAll(/\s+/g, '').replaceAll(/,(?=[\])}]|$)/g, '');

/** The steps of a page in their order, as `{ line, code, isNew, path, place, anchor }`; `path` is missing where the first line names no file. */
export const stepsOf = (text) =>
  [...text.matchAll(FENCE)].map(({ groups, index }) => ({
    line: text.slice(0, index).split('\n').length,
    code: groups.code,
    ...TARGET.exec(groups.target)?.groups,
  }));

/**
 * Returns the text of a file after a step.
 * @param text what it holds before; undefined when there is no such file
 * @throws Error when the step does not fit the file
 */
export const applyStep = ({ code, isNew, path, place, anchor }, text) => {
  if (isNew) {
    if (text !== undefined) throw new Error(`${path} is there already`);
    return code;
  }
  if (text === undefined) throw new Error(`there is no ${path}`);
  if (place === undefined) {
    requireExcerpt(code, text, path);
    return text;
  }
  const lines = text.split('\n');
  const found = lines.flatMap((line, index) => (line.includes(anchor) ? [index] : []));
  if (found.length !== 1) throw new Error(`${found.length} lines of ${path} hold "${anchor}"`);
  const at = found[0] + (place === 'after' ? 1 : 0);
  return lines.toSpliced(at, place === 'instead of' ? 1 : 0, ...code.trimEnd().split('\n')).join('\n');
};

/**
 * Applies the steps of all pages, one page after the other, to what they leave of the same files.
 * @param pages `{ path, text }` each
 * @param read the text of a file of the repository; undefined when there is none
 * @returns steps that fit nothing, as `{ path, line, text }`, and the files that steps made or changed, by path
 */
export const applyPages = (pages, read) => {
  const [faults, files] = [[], new Map()];
  for (const { path: page, text } of pages) {
    for (const step of stepsOf(text)) {
      if (step.path === undefined) {
        faults.push({ path: page, line: step.line, text: 'does not say which file the code is for' });
        continue;
      }
      const before = files.get(step.path) ?? read(step.path);
      try {
        const after = applyStep(step, before);
        if (after !== before) files.set(step.path, after);
      } catch (error) {
        faults.push({ path: page, line: step.line, text: error.message });
      }
    }
  }
  return { faults, files };
};

const requireExcerpt = (code, text, path) => {
  const whole = plain(text);
  let from = 0;
  for (const part of code.split(ELLIPSIS)) {
    const at = whole.indexOf(plain(part), from);
    if (at < 0) throw new Error(`${path} does not hold ${part.trim().split('\n')[0]} …`);
    from = at + plain(part).length;
  }
};
