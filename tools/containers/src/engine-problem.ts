import { getContainerRuntimeClient } from 'testcontainers';
import { config } from './config.js';

/** Why suites cannot run in containers here; undefined when they can. */
export const engineProblem = async (): Promise<string | undefined> => {
  if (!config.wanted) return 'CONTINUO_TEST_CONTAINERS is not set';
  try {
    await getContainerRuntimeClient();
    return undefined;
  } catch (error) {
    return `no container engine answers (${error instanceof Error ? error.message : String(error)})`;
  }
};
