export { openFilesOf } from './measure/open-files.js';
export {
  GROWN_LIMIT_BYTES,
  HELD_LIMIT_MS,
  isTooMuch,
  leastStrainOf,
  probeReading,
  type Strain,
  withProbe,
  type ProbedProcess,
} from './measure/strain.js';
