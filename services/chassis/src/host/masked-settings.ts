import type { ServiceSettings, SettingSource } from '@continuo/contracts';
import { z } from 'zod';
import type { Environment } from '../config.js';

type Setting = ServiceSettings['settings'][number];

const MASK = '••••••';

/** Names whose values are secrets. Paths of files that hold one are none. */
const SECRET_NAME = /SECRET|PASSWORD|TOKEN(?!_HOURS|_LOGIN)|API_KEY(?!S)|ACCESS_KEY|(?:^|_)KEY$|CREDS|PLUGIN_SETTINGS/;
const NO_SECRET = /_FILE$|_LOST$|_LOGIN$|_PAUSE_|^RELAY_OWN/;

/** True for settings whose values are never shown. */
export const isSecretSetting = (name: string): boolean => SECRET_NAME.test(name) && !NO_SECRET.test(name);

/** Logins and parameters of addresses are masked. A password may hold anything but blanks, so that of several addresses only the last host stays. */
const withoutLogins = (text: string): string =>
  text
    .replaceAll(/([a-z][a-z0-9+.-]*:\/\/)\S*@/gi, `$1${MASK}@`)
    .replaceAll(/([?&][^=&\s,]*(?:pass|secret|token|key|sig|user)[^=&\s,]*=)[^&\s,]+/gi, `$1${MASK}`);

const textOf = (value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  if (value instanceof Set) return [...value].join(',');
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/**
 * The settings of a service as they are in force, by name. Values of secrets are replaced by dots, and so are logins in addresses.
 * @param schema of the service's settings
 * @param config what came of it
 * @param sources of settings that the program around the services has set
 */
export const maskedSettings = (
  schema: z.ZodType,
  config: Readonly<Record<string, unknown>>,
  { env, sources = {} }: { readonly env: Environment; readonly sources?: Readonly<Record<string, SettingSource>> | undefined },
): Setting[] => {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : Object.keys(config);
  return names.toSorted().map((name) => {
    const given = env[name];
    const isGiven = given !== undefined && given !== '';
    const text = isGiven ? given : textOf(config[name]);
    const isSecret = isSecretSetting(name);
    const value = text === null ? null : isSecret ? MASK : withoutLogins(text);
    return { name, value, source: isGiven ? (sources[name] ?? 'environment') : 'default', isSecret };
  });
};
