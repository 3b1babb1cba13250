/** Services that get an image of their own; each is a program of the bundle. */
export const services = ['gateway', 'library', 'playback', 'social', 'ingestion', 'transcoding', 'sonic'];

/** The image of the command line. */
export const TOOLS = 'tools';

/** The image with everything in one process. */
export const WHOLE = 'standalone';

/** All images, which are targets of the Dockerfile. */
export const images = [...services, TOOLS, WHOLE];
