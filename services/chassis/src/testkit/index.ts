export * from './aggregate-spec.js';
export * from './recording-log.js';
