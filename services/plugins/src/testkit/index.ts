export * from './recorded-service.js';
export * from './stand-in-service.js';
export * from './started-plugin.js';
