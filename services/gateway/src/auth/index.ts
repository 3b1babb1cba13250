export type * from './auth.js';
export { authSettings, type AuthSettings } from './auth-settings.js';
export { authOver, createAuth, type AuthDependencies } from './create-auth.js';
export { requireLevel } from './require-level.js';
