export { startCluster, type Cluster } from './cluster/cluster.js';
export { rows } from './rows/table.js';
