import { services as servers, TOOLS } from '../../../deploy/images/packages.mjs';
import { names } from '../../local-images/src/names.mjs';
import { meilisearchProgram } from '../../local-images/src/config.mjs';

/** Our own images, as tools/local-images calls them. */
export const services = [...servers, TOOLS].map(names.service);

/** All images that an installation needs. */
export const images = [...services, names.nats, names.postgres, ...(meilisearchProgram ? [names.meilisearch] : [])];

/** Where the release is. */
export const NAMESPACE = 'music';
export const RELEASE = 'music';
export const NAME = 'music-continuo';
