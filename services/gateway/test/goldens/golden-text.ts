/** Formats of answers, in the order of their sections in a golden file. */
export type GoldenFormat = 'json' | 'xml';

/** Answers to one call, by format and then by variant: API version, or form of the compatibility API. */
export type GoldenAnswers = Readonly<Record<GoldenFormat, ReadonlyMap<string, string>>>;

/** Variants in the order in which they are merged and named. */
const VARIANTS = ['8', '6', '5', '4', '3', 'opensubsonic', 'subsonic'];
const FORMATS = ['json', 'xml'] as const;
/** Ends a line whose line break belongs to the answer. */
const OWN_BREAK = '↵';

interface Line {
  readonly text: string;
  readonly variants: readonly string[];
}

/** Splits JSON before and after each member; joining the lines without their indentation gives it back. */
const jsonLines = (json: string): string[] => {
  let [depth, lines, line] = [0, [] as string[], ''];
  const end = (): void => {
    lines.push(line);
    line = '  '.repeat(depth);
  };
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],]|[^"{}[\],]+/g)) {
    if (token === '}' || token === ']') {
      depth -= 1;
      end();
    }
    line += token;
    if (token === '{' || token === '[') depth += 1;
    if (token === '{' || token === '[' || token === ',') end();
  }
  return [...lines, line];
};

/** Splits XML before elements and before all attributes but the first; elements with text alone keep one line. */
const xmlLines = (xml: string): string[] => {
  const lines: string[] = [];
  let [depth, afterElement] = [0, true];
  for (const [token] of xml.matchAll(/<!\[CDATA\[[^]*?\]\]>|<\?[^>]*>\n?|<[^>]*>|[^<]+/g)) {
    const isMarkup = token.startsWith('<') && !token.startsWith('<![');
    const closes = token.startsWith('</');
    if (closes) depth -= 1;
    if (!isMarkup || (closes && !afterElement)) lines.push(`${lines.pop() ?? ''}${token}`);
    else {
      const [first = '', ...rest] = token.startsWith('<?') ? [token] : token.split(/(?<=") (?=[\w:]+=")/);
      lines.push('  '.repeat(depth) + first, ...rest.map((attribute) => '  '.repeat(depth + 1) + attribute));
    }
    if (isMarkup) afterElement = closes || token.endsWith('/>') || token.startsWith('<?');
    if (isMarkup && !closes && !afterElement) depth += 1;
  }
  return lines.flatMap((line) => line.replaceAll('\n', `${OWN_BREAK}\n`).match(/.+/g) ?? []);
};

/** The lines in which an answer is kept and compared. */
export const answerLines = (format: GoldenFormat, answer: string): string[] => (format === 'json' ? jsonLines : xmlLines)(answer);

/** Joins lines of `answerLines` to the bytes of the answer. */
const joinLines = (lines: readonly string[]): string => {
  let answer = '';
  for (const line of lines) {
    const text = line.trimStart();
    if (answer.endsWith(OWN_BREAK)) answer = `${answer.slice(0, -1)}\n${line}`;
    // Only attributes begin a line of XML with a name.
    else answer += /^[\w:]+="/.test(text) ? ` ${text}` : text;
  }
  return answer.replace(new RegExp(`${OWN_BREAK}$`), '\n');
};

/** Returns the length of the longest common subsequence of what follows item `i` of one list and item `j` of the other. */
const commonLengths = (ours: readonly string[], theirs: readonly string[]): ((i: number, j: number) => number) => {
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]): Uint32Array =>
    Uint32Array.from(lines, (line) => numbers.get(line) ?? (numbers.set(line, numbers.size), numbers.size - 1));
  const [a, b] = [numbered(ours), numbered(theirs)];
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let [j, at] = [b.length - 1, i * width + b.length - 1]; j >= 0; j -= 1, at -= 1)
      lengths[at] = a[i] === b[j] ? lengths[at + width + 1]! + 1 : Math.max(lengths[at + width]!, lengths[at + 1]!);
  return (i, j) => lengths[i * width + j]!;
};

/** Merges the lines of one more variant: lines that both have stay one line. */
const mergeLines = (merged: readonly Line[], variant: string, lines: readonly string[]): Line[] => {
  const ours = merged.map(({ text }) => text);
  const end = Math.min(ours.length, lines.length);
  let start = 0;
  while (start < end && ours[start] === lines[start]) start += 1;
  const length = commonLengths(ours.slice(start), lines.slice(start));
  const result: Line[] = [];
  let j = 0;
  for (const [i, line] of merged.entries()) {
    while (line.text !== lines[j] && length(i - start, j - start) > length(i - start + 1, j - start))
      result.push({ text: lines[j++]!, variants: [variant] });
    const isCommon = line.text === lines[j];
    result.push(isCommon ? { text: line.text, variants: [...line.variants, variant] } : line);
    if (isCommon) j += 1;
  }
  return [...result, ...lines.slice(j).map((text) => ({ text, variants: [variant] }))];
};

/** Variants whose answers share a section, and its lines. */
interface Section {
  readonly variants: readonly string[];
  readonly lines: readonly Line[];
}

/** Adds a variant to the first section of which it has at least half of the lines, or else a section of its own. */
const addVariant = (sections: readonly Section[], variant: string, lines: readonly string[]): Section[] => {
  for (const [at, section] of sections.entries()) {
    const merged = mergeLines(section.lines, variant, lines);
    const common = section.lines.length + lines.length - merged.length;
    if (common * 2 < Math.max(section.lines.length, lines.length)) continue;
    return sections.with(at, { variants: [...section.variants, variant], lines: merged });
  }
  return [...sections, { variants: [variant], lines: lines.map((text) => ({ text, variants: [variant] })) }];
};

/** Text of a section: each line begins with the variants that have it, or with none if all do. */
const sectionText = (format: GoldenFormat, { variants, lines }: Section): string => {
  const all = variants.join(' ');
  const rows = lines.map(({ text, variants: having }) => {
    const names = having.length === variants.length ? '' : having.join(' ');
    return `${names.padEnd(variants.length === 1 ? 0 : all.length)} | ${text}\n`;
  });
  return `== ${format} ${all}\n${rows.join('')}`;
};

/** Writes answers as the text of a golden file. */
export const writeGoldenText = (answers: GoldenAnswers): string =>
  FORMATS.flatMap((format) => {
    let sections: readonly Section[] = [];
    for (const variant of VARIANTS) {
      const answer = answers[format].get(variant);
      if (answer !== undefined) sections = addVariant(sections, variant, answerLines(format, answer));
    }
    return sections.map((section) => sectionText(format, section));
  }).join('');

/** Reads the text of a golden file; the reverse of `writeGoldenText`. */
export const readGoldenText = (text: string): GoldenAnswers => {
  const answers = { json: new Map<string, string>(), xml: new Map<string, string>() };
  for (const section of text.split(/^== /m).slice(1)) {
    const [header = '', ...rows] = section.slice(0, -1).split('\n');
    const [format = '', ...variants] = header.split(' ');
    const lines = rows.map((row) => {
      const end = row.indexOf(' | ');
      return { names: row.slice(0, end).trim(), text: row.slice(end + 3) };
    });
    for (const variant of variants) {
      const own = lines.filter(({ names }) => names === '' || names.split(' ').includes(variant));
      answers[format as GoldenFormat].set(variant, joinLines(own.map((line) => line.text)));
    }
  }
  return answers;
};
