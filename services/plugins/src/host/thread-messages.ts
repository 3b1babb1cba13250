import type { PluginPartName, PluginPace, PluginRequest, PluginResponse, PluginSetting } from '../api/plugin.js';

/** Manifest of a plug-in: everything but its functions. */
export interface PluginManifest {
  readonly apiVersion: number;
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly sends: string;
  readonly hosts?: readonly string[] | undefined;
  readonly settings?: Readonly<Record<string, PluginSetting>> | undefined;
  readonly pace?: PluginPace | undefined;
  readonly maxHeapMb?: number | undefined;
}

/** A part that a started plug-in has: names of its functions, and what else it says (such as `model` of a sonic one). */
export interface PartOutline {
  readonly functions: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}
export type PartOutlines = Readonly<Partial<Record<PluginPartName, PartOutline>>>;

/** Message to a thread. */
export type ToThread =
  | { readonly kind: 'start'; readonly settings: Readonly<Record<string, string>>; readonly server: { name: string; version: string } }
  | { readonly kind: 'ask'; readonly id: number; readonly part: PluginPartName; readonly function: string; readonly query: unknown }
  /** Nobody waits for the answer any more. A thread that lives answers `alive`. */
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'fetched'; readonly id: number; readonly response: PluginResponse }
  | { readonly kind: 'not-fetched'; readonly id: number; readonly text: string };

/** Message from a thread. */
export type FromThread =
  | { readonly kind: 'manifest'; readonly manifest: unknown }
  | { readonly kind: 'ready'; readonly parts: PartOutlines }
  | { readonly kind: 'broken'; readonly text: string }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly text: string }
  | { readonly kind: 'alive'; readonly id: number }
  | { readonly kind: 'fetch'; readonly id: number; readonly request: PluginRequest }
  | { readonly kind: 'log'; readonly level: 'debug' | 'info' | 'warn'; readonly text: unknown };
