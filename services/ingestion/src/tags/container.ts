/** A container as clients know it. */
export interface ContainerName {
  /** Usual file suffix. */
  readonly format: string;
  readonly mime: string;
}

const byFormat: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  mp2: 'audio/mpeg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  spx: 'audio/ogg',
  m4a: 'audio/mp4',
  wav: 'audio/wav',
  aiff: 'audio/aiff',
  wma: 'audio/x-ms-wma',
  ape: 'audio/x-ape',
  wv: 'audio/x-wavpack',
  mpc: 'audio/x-musepack',
  dsf: 'audio/x-dsf',
  dff: 'audio/x-dff',
  mka: 'audio/x-matroska',
  webm: 'audio/webm',
};

const named = (format: string): ContainerName => ({ format, mime: byFormat[format] ?? 'application/octet-stream' });

/** Container names as the parser reports them, most specific first. */
const containers: readonly [RegExp, string][] = [
  [/^flac$/i, 'flac'],
  [/^adts/i, 'aac'],
  [/^mpeg$/i, 'mp3'],
  [/^wave|^riff|^rf64/i, 'wav'],
  [/^aif/i, 'aiff'],
  [/^asf/i, 'wma'],
  [/^monkey/i, 'ape'],
  [/^wavpack/i, 'wv'],
  [/^musepack/i, 'mpc'],
  [/^dsf$/i, 'dsf'],
  [/^dsdiff/i, 'dff'],
  [/webm/i, 'webm'],
  [/matroska|^ebml/i, 'mka'],
  [/m4a|mp4|isom|qt|3gp|dash|m4b/i, 'm4a'],
];

const oggByCodec = (codec: string): string => {
  if (/opus/i.test(codec)) return 'opus';
  if (/speex/i.test(codec)) return 'spx';
  return /flac/i.test(codec) ? 'oga' : 'ogg';
};

/** Names a container by what the parser found in the file, never by the file's own suffix. Undefined for one that is not served. */
export const containerName = (container: string | undefined, codec: string | undefined): ContainerName | undefined => {
  if (container === undefined) return undefined;
  if (/^ogg/i.test(container)) return named(oggByCodec(codec ?? ''));
  if (/layer 2$/i.test(codec ?? '') && /^mpeg$/i.test(container)) return named('mp2');
  const found = containers.find(([pattern]) => pattern.test(container));
  return found ? named(found[1]) : undefined;
};
