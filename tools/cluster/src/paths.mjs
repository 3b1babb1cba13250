import { join } from 'node:path';
import { cache, root } from '../../setup/paths.mjs';
import { stateFolder } from './config.mjs';

/** Programs that are built once, and their modules; may be deleted at any time. */
export const built = join(cache, 'cluster');

/** The programs of the cluster. */
export const programs = join(built, 'bin');

/** Everything that one cluster writes. */
export const state = stateFolder;

/** A folder or file of the running cluster. */
export const inState = (...parts) => join(state, ...parts);

/** Administrator kubeconfig, for kubectl and helm. */
export const kubeconfig = inState('admin.conf');

/** The chart under test. */
export const chart = join(root, 'helm', 'continuo');
