/** Packages that get an image of their own. */
export const packages = ['gateway', 'library', 'playback', 'social', 'ingestion', 'transcoding', 'sonic', 'continuo-cli'];

/** The package that has an image with everything in one process. */
export const WHOLE = 'standalone';

/** The image of a package, which is a target of the Dockerfile. */
export const imageOf = (name) => (name === 'continuo-cli' ? 'tools' : name);
