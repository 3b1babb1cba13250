import { transcodeCapabilities } from '@continuo/contracts';
import type { Access } from '../connect/locate.js';
import type { Session } from '../connect/session.js';
import { fault, ok, reasonOf, warning, type Finding } from './finding.js';

const HTTP_TIMEOUT_MS = 5000;

/** The transcoding service answers and has a usable ffmpeg. */
export const checkFfmpeg = async ({ commands, context }: Pick<Session, 'commands' | 'context'>): Promise<Finding> => {
  try {
    const { result } = await commands.send(transcodeCapabilities, {}, context(), { timeoutMs: 3000 });
    if (!result.ffmpeg)
      return warning('ffmpeg', result.problem ?? 'is missing', 'install ffmpeg 5 or newer and restart the transcoding service');
    return ok('ffmpeg', `version ${result.ffmpeg.version} with ${result.audioEncoders.length} audio encoders`);
  } catch (error) {
    return warning('ffmpeg', `the transcoding service does not answer: ${reasonOf(error)}`, 'start the transcoding service');
  }
};

/** The gateway says that it can serve calls; undefined when its address is not known. */
export const checkGateway = async ({ url }: Pick<Access, 'url'>): Promise<Finding | undefined> => {
  if (url === undefined) return undefined;
  try {
    const answer = await fetch(new URL('/health/ready', url), { signal: AbortSignal.timeout(HTTP_TIMEOUT_MS) });
    const body = (await answer.text()).slice(0, 500);
    return answer.ok
      ? ok('Gateway', `ready at ${url}`)
      : fault('Gateway', `not ready (${answer.status}) ${body}`, 'look at the log of the server');
  } catch (error) {
    return fault('Gateway', `does not answer at ${url}: ${reasonOf(error)}`, 'look at the log of the server');
  }
};
