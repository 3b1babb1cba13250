export { readsElsewhere, replicaSide, sameSide, type ReadSide } from './read-side.js';
