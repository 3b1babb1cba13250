export { readsElsewhere, replicaSide, sameSide, type ReadSettings, type ReadSide } from './read-side.js';
