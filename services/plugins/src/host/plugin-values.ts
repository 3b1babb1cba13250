import type { PluginManifest } from './thread-messages.js';

/**
 * Values for a plug-in: the operator's, else its defaults.
 * @throws Error for a value that it does not know, and for a required one that is missing; never with the value itself
 */
export const settingsFor = (manifest: PluginManifest, values: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const known = manifest.settings ?? {};
  const strange = Object.keys(values).filter((name) => !Object.hasOwn(known, name));
  if (strange.length > 0) throw new Error(`it has no setting ${strange.join(', ')}`);
  const settings: Record<string, string> = {};
  for (const [name, setting] of Object.entries(known)) {
    const value = values[name] ?? setting.default;
    if (value !== undefined && value !== '') settings[name] = value;
    else if (setting.required) throw new Error(`it needs the setting ${name}: ${setting.about}`);
    if (setting.isAddress && settings[name] !== undefined && !URL.canParse(settings[name]))
      throw new Error(`its setting ${name} is no address`);
  }
  return settings;
};

/** Hosts that a plug-in may talk to: its own, and those of addresses that the operator has set. */
export const hostsOf = (manifest: PluginManifest, settings: Readonly<Record<string, string>>): readonly string[] => {
  const addresses = Object.entries(manifest.settings ?? {}).filter(
    ([name, { isAddress }]) => isAddress === true && settings[name] !== undefined,
  );
  return [...(manifest.hosts ?? []), ...addresses.map(([name]) => new URL(settings[name] as string).hostname)];
};

/** True for a host that stands in the list, itself or by `*.` for those below it. */
export const isAmong = (host: string, hosts: readonly string[]): boolean =>
  hosts.some((allowed) => {
    const wanted = allowed.toLowerCase();
    return wanted.startsWith('*.') ? host.toLowerCase().endsWith(wanted.slice(1)) : host.toLowerCase() === wanted;
  });
