import type { ObservedRequest, SurfaceName } from './observed-request.js';
import { UNKNOWN } from './observed-request.js';

type RouteName = Pick<ObservedRequest, 'surface' | 'operation'>;

/** Routes with a name of their own. Those of the two APIs take every operation, which the surfaces name once they know it. */
const named: Readonly<Record<string, readonly [SurfaceName, string]>> = {
  '/': ['page', 'start'],
  '/server/json.server.php': ['native', UNKNOWN],
  '/server/xml.server.php': ['native', UNKNOWN],
  '/rest/:version(^\\d+$)': ['rest', UNKNOWN],
  '/rest/:version/:format': ['rest', UNKNOWN],
  '/rest/:version/:format/*': ['rest', UNKNOWN],
  '/rest/:operation': ['compat', UNKNOWN],
  '/rest/hls/:token/:file': ['hls', 'segment'],
  '/play/*': ['media', 'play'],
  '/image.php': ['media', 'art'],
  '/share.php': ['share', 'page'],
  '/register.php': ['page', 'register'],
  '/events': ['events', 'stream'],
  '/openapi/:file': ['page', 'openapi'],
  '/docs': ['page', 'docs'],
  '/docs/:file': ['page', 'docs'],
  '/docs/problems': ['page', 'docs'],
  '/health/live': ['status', 'live'],
  '/health/ready': ['status', 'ready'],
};

/** Routes whose last part names what they do: they are a fixed set, and so are these parts. */
const families: readonly (readonly [string, SurfaceName])[] = [
  ['/share.php/', 'share'],
  ['/account', 'page'],
  ['/manage/v1/', 'manage'],
];

const NOWHERE: RouteName = { surface: 'none', operation: UNKNOWN };

/** Returns the name of a route in metrics; the argument is the pattern of the route, never a URL. */
export const routeName = (pattern: string | undefined): RouteName => {
  if (pattern === undefined) return { ...NOWHERE };
  const [surface, operation] = named[pattern] ?? [];
  if (surface !== undefined && operation !== undefined) return { surface, operation };
  const family = families.find(([prefix]) => pattern.startsWith(prefix));
  return family ? { surface: family[1], operation: pattern.split('/').at(-1) ?? UNKNOWN } : { ...NOWHERE };
};
