import { lazyRouteComponent } from '@tanstack/react-router';
import { isThere } from '../lib/session.js';

/**
 * A component whose script is loaded when it is first shown. For a script that does not come the router loads the page anew, which is right after an upgrade of the server;
 * while the server is away the browser would then have nothing to show.
 */
export const lazyComponent: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch(async (cause: unknown) => {
        throw (await isThere()) ? cause : new Error('the script of a view did not come', { cause });
      }),
    name,
  );
