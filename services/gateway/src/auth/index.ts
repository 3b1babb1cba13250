export type * from './auth.js';
export { accessRules as compileAccessRules, LEAST_LEVEL } from './access-rules.js';
export { tooManyLogins } from './throttle/too-many.js';
export { PLAYER_LEVEL, requireEveryScope } from './player-caller.js';
export { requireLevel, requireScope } from './require-level.js';
