import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { config } from '../config.js';

/**
 * The path of a Music Player Daemon: `MPD_BIN` when it is set, else the first in PATH. Undefined when there is none: it is needed by tests alone,
 * and those that need it are skipped.
 */
export const locateMpd = (): string | undefined => {
  const candidates = config.mpdBin === undefined ? config.pathFolders.map((folder) => join(folder, 'mpd')) : [config.mpdBin];
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      // Absent or not to be executed: not this one.
      return false;
    }
  });
};
