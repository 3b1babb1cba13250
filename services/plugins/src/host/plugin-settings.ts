import { jsonOf } from '@continuo/chassis';
import { z } from 'zod';

const list = (text: string): readonly string[] => text.split(',').flatMap((part) => part.trim() || []);

const values = z.record(z.string(), z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)));
export type PluginValues = z.output<typeof values>;

const valuesOf = (text: string, context: z.RefinementCtx): PluginValues => {
  const read = values.safeParse(jsonOf(text));
  if (read.success) return read.data;
  // The text may hold secrets and must not get into a message.
  context.addIssue({ code: 'custom', message: 'is no JSON object like {"plugin-name":{"setting":"value"}}' });
  return z.NEVER;
};

/** Settings of services that run plug-ins. */
export const pluginSettings = {
  /** Plug-ins that are used, separated by commas, those first that are asked first: names of built-in ones, of packages in `PLUGINS_FOLDER`, or paths. Without any nothing is asked or sent. */
  PLUGINS: z.string().default('').transform(list),
  /** Their settings, JSON: `{"lastfm":{"apiKey":"…"}}`. May hold keys. */
  PLUGIN_SETTINGS: z.string().default('{}').transform(valuesOf),
  /** Folder in whose `node_modules` packages of `PLUGINS` are looked for; by default `plugins` below `CONTINUO_DATA`. */
  PLUGINS_FOLDER: z.string().min(1).optional(),
  /** Time limit for an answer of a plug-in while a client waits, ms. */
  PLUGIN_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(4000),
  /** Address or e-mail at which services that plug-ins ask find whoever runs this server; it is sent to them. Some ask for it. */
  PLUGIN_CONTACT: z.string().min(1).max(200).optional(),
};
