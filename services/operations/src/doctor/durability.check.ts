import { z } from 'zod';
import { ok, warning, type Finding } from './finding.js';

const TIMEOUT_MS = 1500;
const MONITORING_PORT = 8222;

const varz = z.object({
  jetstream: z
    .object({ config: z.object({ sync_interval: z.number().optional(), sync_always: z.boolean().optional() }).optional() })
    .optional(),
});

/** Judges the sync interval that NATS reports. */
export const judgeDurability = (where: string, said: unknown): Finding | undefined => {
  const config = varz.safeParse(said).data?.jetstream?.config;
  const subject = `NATS at ${where}`;
  if (!config) return undefined;
  if (config.sync_always === true) return ok(subject, 'acknowledges when it is on the disk');
  return warning(
    subject,
    `writes to the disk every ${Math.round((config.sync_interval ?? 0) / 1e9)} s: when all power fails at once, what was acknowledged meanwhile may be lost`,
    'set "sync_interval: always" in the jetstream part of its configuration',
  );
};

/** When each NATS server writes to its disk, where its monitoring can be asked; nothing is said of others. */
export const checkDurability = async (natsUrl: string): Promise<Finding[]> => {
  const hosts = natsUrl.split(',').map((part) => new URL(part.includes('://') ? part.trim() : `nats://${part.trim()}`).hostname);
  const findings = await Promise.all(
    [...new Set(hosts)].map(async (host) => {
      const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
      const said = await fetch(`http://${name}:${MONITORING_PORT}/varz`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
        .then((answer) => answer.json())
        .catch(() => undefined);
      return said === undefined ? undefined : judgeDurability(name, said);
    }),
  );
  return findings.filter((finding) => finding !== undefined);
};
