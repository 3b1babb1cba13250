export { connectionFileOf, connectionSchema, type StandaloneConnection } from './connection.js';
