import type { CallerName } from '../wire/step.js';
import { HIDDEN_CANARY, PRIVATE_CANARY, SECRET_CANARY } from '../world/canaries.js';

/** Patterns of leaks: traces of code, database, folders. None of them is sent by the campaign. */
const TELLTALES: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a stack trace', /\n\s+at [\w.<>[\] ]+ ?\(?(?:file:|node:|\/)[^\n]+:\d+:\d+/],
  ['a folder of the program', /node_modules\/|\/dist\/[\w/-]+\.js/],
  [
    'words of the database',
    /syntax error at or near|relation "[\w.]+" does not exist|invalid input syntax for type|duplicate key value violates|out of range for type|SQLSTATE|invalid byte sequence for encoding|unsupported Unicode escape|canceling statement/i,
  ],
  [
    'words of the program',
    /Cannot read propert(?:y|ies) of|is not a function|is not iterable|\bECONNREFUSED\b|\bENOENT\b|\bEACCES\b|TypeError|RangeError|ZodError|NatsError|FastifyError|FST_ERR/,
  ],
];

/** Finds a leaked secret in an answer. @param secrets texts that may stand in no answer */
export const shownSecrets = (text: string, caller: CallerName, secrets: readonly string[]): string | undefined => {
  if (text.includes(HIDDEN_CANARY)) return 'it shows something of a hidden catalog';
  if (text.includes(SECRET_CANARY)) return 'it shows a password or key of somebody else';
  if (caller !== 'admin' && text.includes(PRIVATE_CANARY)) return 'it shows something that somebody else keeps private';
  if (secrets.some((secret) => text.includes(secret))) return 'it shows a secret or a folder of the server';
  const telltale = TELLTALES.find(([, pattern]) => pattern.test(text));
  return telltale ? `it shows ${telltale[0]}: ${(telltale[1].exec(text)?.[0] ?? '').trim().slice(0, 120)}` : undefined;
};
