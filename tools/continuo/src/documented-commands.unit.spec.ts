import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { continuoProgram } from './program.js';

const root = join(fileURLToPath(import.meta.url), '..', '..', '..', '..');
const pagesOf = (folder: string): string[] => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
const pages = ['README.md', ...pagesOf('docs/tutorial'), ...pagesOf('docs/operate')].filter((name) => name.endsWith('.md'));
const program = continuoProgram({ terminal: {} as never, env: {}, fail: () => undefined });

/** Start of a `continuo` command in the docs: after a back-tick, at the start of a code line, or after a prompt. */
const BEGIN =
  /(?:^|[(|;&]\s*)(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npm run (?:-s )?continuo -- |(?:\$compose|docker compose .*) run --rm tools |kubectl .* -- node dist\/main\.js |continuo )(?<rest>.*)$/;

/** Words of a command as a shell would cut them, up to where something else begins. */
const wordsOf = (text: string): readonly string[] => {
  const plain = text.replaceAll(/<[^<>]*>/g, 'placeholder').replaceAll(/[[\]]/g, '');
  const command = plain.replace(/\s+#.*$/, '').replace(/\s*(?:[|;&)<>]).*$/, '');
  return [...command.matchAll(/'[^']*'|"[^"]*"|\S+/g)].map(([word]) => word);
};

const spans = (text: string): readonly string[] => {
  const blocks = [...text.matchAll(/^```(?:sh|text|)\n(?<code>.*?)^```/gms)].flatMap(({ groups }) => (groups?.['code'] ?? '').split('\n'));
  const inline = [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`(?<code>[^`\n]+)`/g)].map(({ groups }) => groups?.['code'] ?? '');
  // Output in blocks says "continuo" too; a command is one that the program is asked for at the beginning of a line.
  return [...blocks, ...inline];
};

const commandsOf = (text: string): readonly (readonly string[])[] =>
  spans(text).flatMap((line) => {
    const rest = BEGIN.exec(line)?.groups?.['rest'];
    const words = rest === undefined ? [] : wordsOf(rest);
    return words.length === 0 ? [] : [words];
  });

const isOpen = (word: string): boolean => word === '…' || word === '...';

const optionFault = (command: Command, word: string): string | undefined => {
  const [name = ''] = word.split('=');
  const known = [...command.options, ...program.options].some(({ long, short }) => long === name || short === name);
  return known || name === '--help' ? undefined : `has no option ${name}`;
};

/** Why a command cannot be what the page means; undefined when the program takes it. */
const faultOf = (words: readonly string[]): string | undefined => {
  let command = program;
  const args: string[] = [];
  let isValue = false;
  for (const word of words) {
    if (isOpen(word) || (command === program && word === 'placeholder')) return undefined;
    const next = args.length === 0 ? command.commands.find((one) => one.name() === word) : undefined;
    if (next) command = next;
    else if (word.startsWith('--')) {
      const fault = optionFault(command, word);
      if (fault) return `"${words.join(' ')}" ${fault}`;
      const option = [...command.options, ...program.options].find(({ long }) => long === word);
      isValue = option?.required === true || option?.optional === true;
      continue;
    } else if (!isValue) args.push(word);
    isValue = false;
  }
  const { registeredArguments: wanted } = command;
  const most = wanted.some(({ variadic }) => variadic) ? Infinity : wanted.length;
  return args.length > most ? `"${words.join(' ')}" has no command or argument ${args[most]}` : undefined;
};

describe('what the pages for operators say', () => {
  it.each(pages)('%s: the program has every command and option', (page) => {
    const commands = commandsOf(readFileSync(join(root, page), 'utf8'));
    expect(commands.flatMap((words) => faultOf(words) ?? [])).toEqual([]);
  });

  it('is looked at: many commands are found, and wrong ones are', () => {
    const all = pages.flatMap((page) => commandsOf(readFileSync(join(root, page), 'utf8')));
    expect(all.length).toBeGreaterThan(100);
    const wrong = [
      '$ continuo nonsense',
      'continuo user add ada --colour red',
      'continuo user list ada',
      'npm run -s continuo -- scan a b',
    ];
    expect(wrong.flatMap((line) => commandsOf(`\`\`\`sh\n${line}\n\`\`\``)).map(faultOf)).toEqual([
      expect.stringContaining('nonsense'),
      expect.stringContaining('--colour'),
      expect.stringContaining('ada'),
      expect.stringContaining(' b'),
    ]);
  });
});
