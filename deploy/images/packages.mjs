/** Packages that get an image of their own. */
export const packages = ['gateway', 'library', 'playback', 'social', 'ingestion', 'transcoding', 'sonic', 'continuo-cli'];

/** The image of a package, which is a target of the Dockerfile. */
export const imageOf = (name) => (name === 'continuo-cli' ? 'tools' : name);
