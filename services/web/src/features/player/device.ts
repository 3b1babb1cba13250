const DEVICE = 'continuo-device';

/** This browser, as other devices of the account know it. */
export interface Device {
  readonly id: string;
  readonly name: string;
}

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Mac OS/, 'Mac'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
] as const;

/** Name of a browser and its system. */
export const deviceName = (userAgent: string): string =>
  [BROWSERS, SYSTEMS].flatMap((known) => known.find(([pattern]) => pattern.test(userAgent))?.[1] ?? []).join(', ');

/** True where a page can set the volume of a media element; on iOS it stays 1, whatever is set. @param fresh an element that nobody hears */
export const canSetVolume = (fresh: Pick<HTMLMediaElement, 'volume'>): boolean => {
  fresh.volume = 0.5;
  return fresh.volume !== 1;
};

/** This browser; it gets a number of its own at its first visit. */
export const deviceIn = (storage: Pick<Storage, 'getItem' | 'setItem'>): Device => {
  const known = storage.getItem(DEVICE);
  const id = known ?? crypto.getRandomValues(new Uint32Array(2)).join('-');
  if (known === null) storage.setItem(DEVICE, id);
  return { id, name: deviceName(navigator.userAgent) };
};
