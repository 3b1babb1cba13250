import { PluginFault, type PluginHost, type RunningPlugin, type SonicFile } from '@continuo/plugins';
import { MAX_SONIC_DIMENSIONS } from '@continuo/contracts';
import { z } from 'zod';
import { AnalyserUnavailable, SongAnalysisFailed, type Analyser } from './analyser.js';

const outline = z.object({
  form: z.literal('vectors'),
  model: z.string().min(1).max(100),
  dimensions: z.number().int().min(1).max(MAX_SONIC_DIMENSIONS),
});

const vector = z.union([z.instanceof(Float32Array), z.array(z.number()).transform((values) => Float32Array.from(values))]);

interface Place {
  readonly plugin: RunningPlugin;
  busy: number;
}

/** The first sonic plug-in of each host, when it analyses: as many threads of the same plug-in as there are hosts, and each song goes to the one that has least to do. */
export class PluginAnalyser implements Analyser {
  readonly name: string;
  readonly title: string;
  readonly model: string;
  readonly dimensions: number;
  readonly #places: readonly Place[];
  readonly #timeoutMs: number;

  private constructor(plugins: readonly RunningPlugin[], told: z.output<typeof outline>, timeoutMs: number) {
    const [first] = plugins as [RunningPlugin];
    this.name = first.name;
    this.title = first.manifest.title;
    this.model = told.model;
    this.dimensions = told.dimensions;
    this.#places = plugins.map((plugin) => ({ plugin, busy: 0 }));
    this.#timeoutMs = timeoutMs;
  }

  /** Undefined when the plug-in is not one that analyses. */
  static over(hosts: readonly PluginHost[], timeoutMs: number): PluginAnalyser | undefined {
    const plugins = hosts.flatMap((host) => host.having('sonic')[0] ?? []);
    const told = outline.safeParse(plugins[0]?.parts.sonic?.values);
    return told.success ? new PluginAnalyser(plugins, told.data, timeoutMs) : undefined;
  }

  async analyse(song: SonicFile): Promise<Float32Array | undefined> {
    const place = this.#places.reduce((best, one) => (one.busy < best.busy ? one : best));
    place.busy += 1;
    try {
      return this.#read(await place.plugin.ask('sonic', 'analyse', song, this.#timeoutMs));
    } catch (error) {
      throw error instanceof PluginFault ? asOurs(error) : error;
    } finally {
      place.busy -= 1;
    }
  }

  #read(answer: unknown): Float32Array | undefined {
    if (answer === undefined || answer === null) return undefined;
    const read = vector.safeParse(answer);
    if (!read.success || read.data.length !== this.dimensions || !read.data.every(Number.isFinite))
      throw new SongAnalysisFailed(`${this.name} did not answer ${this.dimensions} numbers`);
    return read.data;
  }
}

const asOurs = (fault: PluginFault): AnalyserUnavailable | SongAnalysisFailed =>
  fault.kind === 'failed' || fault.kind === 'timeout'
    ? new SongAnalysisFailed(fault.message, { cause: fault })
    : new AnalyserUnavailable(fault.message, { cause: fault });
