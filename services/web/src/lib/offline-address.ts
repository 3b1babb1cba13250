/** Name of the cache with the songs and lists that this browser keeps. */
export const OFFLINE_CACHE = 'continuo-offline';

/** Path of what is kept, below that of the page. The server has nothing there: the service worker answers. */
export const OFFLINE_PATH = 'offline/';

/** True for a song whose sound this browser keeps. */
export const isKeptHere = ({ url }: { readonly url: string }): boolean => url.includes(`/${OFFLINE_PATH}songs/`);
