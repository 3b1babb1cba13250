export * from './aggregate-spec.js';
