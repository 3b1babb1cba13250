export { manageClient, nativeClient, type ManageClient, type NativeClient, type ServerOptions } from './clients.js';
export { events, type EventOptions, type ServerEvent } from './events.js';
export { requestFailure, type Problem } from './problems.js';
export type { components as ManageTypes, paths as ManagePaths } from './manage.types.js';
export type { components as NativeTypes } from './native-8.types.js';
