import { defencesOf, type Defence } from '../defence.js';

const bounds = 'gateway/src/server/requests/request-bounds.ts';
const spec = 'gateway/src/server/requests/request-bounds.unit.spec.ts';

/** Row 9: how much a request may say before anybody is known. */
export const requestBoundDefences: readonly Defence[] = defencesOf([
  [
    9,
    'send a form of very many names',
    'gateway/src/server/requests/parameters.ts',
    'if (names > MAX_NAMES) throw tooManyNames();',
    '',
    spec,
  ],
  [9, 'send a form of very many values', bounds, "if (isOftener(text, '&', MAX_VALUES - 1))", 'if (false)', spec],
  [9, 'send an object of very many names', bounds, 'if (names > MAX_NAMES)', 'if (false)', spec],
  [9, 'send a list of very many values', bounds, 'if (values > MAX_VALUES)', 'if (false)', spec],
  [9, 'nest a body without end', bounds, 'if (depth > MAX_DEPTH)', 'if (false)', spec],
]);
