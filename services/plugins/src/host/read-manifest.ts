import { z } from 'zod';
import { PLUGIN_API_VERSION } from '../api/plugin.js';
import type { PluginManifest } from './thread-messages.js';

const setting = z.object({
  about: z.string().max(500),
  required: z.boolean().optional(),
  secret: z.boolean().optional(),
  default: z.string().optional(),
  isAddress: z.boolean().optional(),
});

const manifest = z.object({
  apiVersion: z.literal(PLUGIN_API_VERSION, {
    error: `it is made for another version of the interface; this server has ${PLUGIN_API_VERSION}`,
  }),
  name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'its name is not of lower-case letters, digits and hyphens'),
  title: z.string().min(1).max(100),
  version: z.string().min(1).max(50),
  sends: z.string().min(1).max(500),
  hosts: z.array(z.string().regex(/^(?:\*\.)?[a-z0-9.-]+$/i)).optional(),
  settings: z.record(z.string().regex(/^[A-Za-z][A-Za-z0-9]*$/), setting).optional(),
  pace: z.object({ everyMs: z.number().min(0).max(3_600_000) }).optional(),
  maxHeapMb: z.number().int().min(16).max(8192).optional(),
});

/** Validates the manifest of a module. @throws Error that names the fault */
export const readManifest = (said: unknown): PluginManifest => {
  if (said === undefined) throw new Error('its module has no default export that is a plug-in');
  const read = manifest.safeParse(said);
  if (read.success) return read.data;
  throw new Error(read.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; '));
};
