import { config } from '../config.js';
import { locateProgram } from '../locate-program.js';

/** The path of a Music Player Daemon: `MPD_BIN`, else the first in PATH; undefined when there is none. */
export const locateMpd = (): string | undefined => locateProgram('mpd', config.mpdBin);
