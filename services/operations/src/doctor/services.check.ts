import { askEverybody, jsonOf } from '@continuo/chassis';
import { TRANSCODE_WORKERS_SUBJECT, transcodeWorkersQuery } from '@continuo/contracts';
import { z } from 'zod';
import type { Access } from '../connect/locate.js';
import type { Session } from '../connect/session.js';
import { fault, ok, reasonOf, warning, type Finding } from './finding.js';

const HTTP_TIMEOUT_MS = 5000;

/** Transcoding workers answer, and each has a usable ffmpeg. */
export const checkFfmpeg = async ({ nats }: Pick<Session, 'nats'>): Promise<Finding> => {
  const workers = await askEverybody(nats, transcodeWorkersQuery, {}, { subject: TRANSCODE_WORKERS_SUBJECT });
  const [first] = workers;
  if (!first) return warning('ffmpeg', 'the transcoding service does not answer', 'start the transcoding service');
  const { ffmpegVersion, problem, audioEncoders } = workers.find((worker) => worker.ffmpegVersion === null) ?? first;
  if (ffmpegVersion === null)
    return warning('ffmpeg', problem ?? 'is missing', 'install ffmpeg 5 or newer and restart the transcoding service');
  return ok('ffmpeg', `version ${ffmpegVersion} with ${audioEncoders.length} audio encoders`);
};

const readiness = z.object({ parts: z.record(z.string(), z.string()) });

/** Reads the event log's fault from a readiness answer, with the place of its remedy. */
const logFaultOf = (body: string): { readonly what: string; readonly remedy: string } | undefined => {
  // A proxy may answer in its place with a page of its own.
  const { nats = 'ok', ...parts } = readiness.safeParse(jsonOf(body)).data?.parts ?? {};
  if (nats !== 'ok') return { what: nats, remedy: 'see docs/operate/recover.md#full-disk' };
  const damaged = Object.entries(parts).filter(([name]) => name.startsWith('log '));
  if (damaged.length === 0) return undefined;
  return { what: damaged.map((part) => part.join(': ')).join('; '), remedy: 'see docs/operate/recover.md#damaged-event-log' };
};

const readyBody = async (url: string): Promise<{ readonly status: number; readonly body: string }> => {
  const answer = await fetch(new URL('/health/ready', url), { signal: AbortSignal.timeout(HTTP_TIMEOUT_MS) });
  return { status: answer.status, body: (await answer.text()).slice(0, 5000) };
};

/** The gateway says that it can serve calls; undefined when its address is not known. Why it cannot stands at the address for operators. */
export const checkGateway = async ({ url, metricsUrl }: Pick<Access, 'url' | 'metricsUrl'>): Promise<Finding | undefined> => {
  if (url === undefined) return undefined;
  try {
    const { status } = await readyBody(url);
    const details = metricsUrl === undefined ? '' : (await readyBody(metricsUrl)).body;
    if (status !== 200) return fault('Gateway', `not ready (${status}) ${details}`, 'look at the log of the server');
    const logFault = logFaultOf(details);
    if (logFault) return fault('Gateway', `ready to read at ${url}, but ${logFault.what}`, logFault.remedy);
    return ok('Gateway', `ready at ${url}`);
  } catch (error) {
    return fault('Gateway', `does not answer at ${url}: ${reasonOf(error)}`, 'look at the log of the server');
  }
};
