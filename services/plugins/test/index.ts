export * from './recorded-service.js';
export * from './fake-service.js';
export * from './started-plugin.js';
