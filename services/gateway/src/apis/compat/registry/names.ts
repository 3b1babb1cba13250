import { registry } from './registry.js';

export type OperationName = keyof typeof registry;

/** All operations of protocol 1.16.1 and of OpenSubsonic. The coverage test compares them with the specification. */
export const operationNames = Object.keys(registry) as readonly OperationName[];

const byKey = new Map<string, OperationName>([
  ...operationNames.map((name) => [name.toLowerCase(), name] as const),
  // Aliases beside the published names.
  ['getcompatextensions', 'getOpenSubsonicExtensions'],
  ['hls', 'hls.m3u8'],
]);

/** Operation of a path segment, in any letter case, with or without `.view`. */
export const operationOf = (segment: string): OperationName | undefined => byKey.get(segment.toLowerCase().replace(/\.view$/, ''));
