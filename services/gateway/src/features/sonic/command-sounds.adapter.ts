import { systemContext, type CommandClient } from '@continuo/chassis';
import { findSimilarSounds, findSoundPath, Rejection, songId as parseSongId, sonicStatus, type SonicMatch } from '@continuo/contracts';
import type { Logger } from 'pino';
import type { Viewer } from '../../reads/visibility/viewer.js';
import type { SonicSounds, SoundQuestion } from './sonic-sounds.js';

/** Time for which the plug-in's status is cached. */
const KNOWN_MS = 5000;
/** Timeout of the status query; it must not delay answers. */
const STATUS_TIMEOUT_MS = 1000;
/** Timeout of a path: hundreds of songs in a library of a million take seconds. */
const PATH_TIMEOUT_MS = 20_000;

const catalogsOf = ({ catalogs }: Viewer): 'all' | number[] => (catalogs === 'all' ? 'all' : [...catalogs]);

type Answer = { readonly result: { readonly isKnown: boolean; readonly matches: readonly SonicMatch[] } };
const matchesOf = ({ result }: Answer): readonly SonicMatch[] | undefined => (result.isKnown ? result.matches : undefined);

/** Sounds compared by the sonic service, over NATS. */
export class CommandSounds implements SonicSounds {
  readonly #commands: CommandClient;
  readonly #log: Logger;
  #known: { readonly isOn: boolean; readonly atMs: number } | undefined;
  #asking: Promise<boolean> | undefined;

  constructor(commands: CommandClient, log: Logger) {
    this.#commands = commands;
    this.#log = log;
  }

  async isOn(): Promise<boolean> {
    if (this.#known && performance.now() - this.#known.atMs < KNOWN_MS) return this.#known.isOn;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async similar(songId: number, { viewer, count }: SoundQuestion): Promise<readonly SonicMatch[] | undefined> {
    const question = { songId: parseSongId.parse(songId), catalogs: catalogsOf(viewer), count };
    return matchesOf(await this.#commands.send(findSimilarSounds, question, systemContext()));
  }

  async path(fromSongId: number, toSongId: number, { viewer, count }: SoundQuestion): Promise<readonly SonicMatch[] | undefined> {
    const ends = { fromSongId: parseSongId.parse(fromSongId), toSongId: parseSongId.parse(toSongId) };
    const question = { ...ends, catalogs: catalogsOf(viewer), count };
    return matchesOf(await this.#commands.send(findSoundPath, question, systemContext(), { timeoutMs: PATH_TIMEOUT_MS }));
  }

  async #ask(): Promise<boolean> {
    const isOn = await this.#status();
    this.#known = { isOn, atMs: performance.now() };
    return isOn;
  }

  async #status(): Promise<boolean> {
    try {
      const { result } = await this.#commands.send(sonicStatus, {}, systemContext(), { timeoutMs: STATUS_TIMEOUT_MS });
      return result.plugin !== null;
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      this.#log.debug({ err: error }, 'the sonic service does not answer');
      return false;
    }
  }
}
