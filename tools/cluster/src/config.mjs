/** The environment that programs of ours are started with. */
export const environment = Object.freeze({ ...process.env });

/** Where one cluster writes everything: its database, images, volumes, logs. Short, because sockets lie in it. */
export const stateFolder = environment.CONTINUO_CLUSTER ?? '/tmp/continuo-cluster';

/** A folder of music to be copied in place of noise. */
export const ownMusic = environment.CONTINUO_CLUSTER_MUSIC;
