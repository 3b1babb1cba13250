import { absent } from './endpoint.js';

export const mediaEndpoints = { stream: absent(0, 'later'), download: absent(0, 'later'), getCoverArt: absent(0, 'later') } as const;
