export * from './audience.js';
export * from './resolve-audience.js';
export * from './translate.js';
