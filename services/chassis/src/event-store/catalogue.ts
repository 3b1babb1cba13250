import * as contracts from '@continuo/contracts';
import { upcast, type EventDefinition } from '@continuo/contracts';
import type { Upcaster } from './headers.js';

const isEvent = (value: unknown): value is EventDefinition => typeof value === 'function' && 'upcasters' in value;

/** Every event type that any stream may hold, by name. */
const definitions = new Map(
  Object.values<unknown>(contracts)
    .filter(isEvent)
    .map((definition) => [definition.type, definition]),
);

/** Every published definition. */
export const publishedEvents = (): readonly EventDefinition[] => [...definitions.values()];

/** The published definition of a type of event; undefined for one that this release does not know. */
export const definitionOf = (type: string): EventDefinition | undefined => definitions.get(type);

/**
 * An event that a newer release wrote: of a type or a version that this one does not know. Whoever reads the log must not go past it: it waits, or leaves the work to a replica of
 * the newer release.
 */
export class NewerEvent extends Error {
  override readonly name = 'NewerEvent';

  constructor(
    readonly type: string,
    readonly v: number,
    known: number | undefined,
  ) {
    super(`${type} of version ${v} was written by a newer release${known === undefined ? '' : `: this one knows versions up to ${known}`}`);
  }
}

/**
 * Adds definitions to those that this process knows: events of specs, and of a release that is to come.
 * @returns forgets them
 */
export const registerEvents = (added: readonly EventDefinition[]): (() => void) => {
  for (const definition of added) definitions.set(definition.type, definition);
  return () => {
    for (const { type } of added) definitions.delete(type);
  };
};

/** True when this release knows a type of event in this version. */
export const isKnownEvent = (type: string, v: number): boolean => (definitions.get(type)?.v ?? 0) >= v;

/**
 * Upcasts by the published definitions.
 * @throws NewerEvent for a type or a version that this release does not know
 */
export const upcastPublished: Upcaster = (type, v, data) => {
  const definition = definitions.get(type);
  if (!definition || definition.v < v) throw new NewerEvent(type, v, definition?.v);
  return definition.v === v ? { v, data } : { v: definition.v, data: upcast(definition, v, data) };
};
