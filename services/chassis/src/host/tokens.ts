/** Injection token of a service's {@link ServiceDependencies}, available in every module of the service. */
export const SERVICE_DEPENDENCIES = Symbol('ServiceDependencies');
/** Injection tokens of single dependencies, available in every module of the service. */
export const AGGREGATES = Symbol('AggregateRunner');
export const CONFIG = Symbol('config');
export const DATABASE = Symbol('database');
export const EVENT_STORE = Symbol('EventStore');
export const JOBS = Symbol('JobQueue');
export const LOG = Symbol('Logger');
export const SEALER = Symbol('Sealer');
export const USER_KEYS = Symbol('UserKeys');
