/** Injection token of a service's {@link ServiceDependencies}, available in every module of the service. */
export const SERVICE_DEPENDENCIES = Symbol('ServiceDependencies');
