import type { LyricsText } from '@continuo/contracts';
import type { PluginHost } from '@continuo/plugins';
import { lyricsFromText } from '../tags/lyrics.js';
import type { FactsSubjects } from './facts-subjects.reads.js';

/** Words of a song from one plug-in. */
export interface LyricsOfPlugin {
  readonly plugin: string;
  readonly title: string;
  readonly texts: LyricsText[];
}

/** A text with times says everything that one without says; the latter stands first where there is both, for those who want no times. */
const textsOf = (answer: unknown): LyricsText[] => {
  const { plain, synced, language } = answer as { readonly plain?: unknown; readonly synced?: unknown; readonly language?: unknown };
  const spoken = typeof language === 'string' ? language : undefined;
  return [plain, synced].flatMap((text) => (typeof text === 'string' ? (lyricsFromText(text, spoken, 'file') ?? []) : []));
};

/** Asks plug-ins for the words of a song. Nothing when there is no such song. */
export const findLyricsOf = async (host: PluginHost, subjects: FactsSubjects, songId: number): Promise<LyricsOfPlugin[]> => {
  const query = host.having('lyrics', 'find').length > 0 ? await subjects.song(songId) : undefined;
  if (query === undefined) return [];
  const answers = await host.askAll({ part: 'lyrics', function: 'find', query });
  return answers.flatMap(({ plugin, title, answer }) => {
    const texts = typeof answer === 'object' && answer !== null ? textsOf(answer) : [];
    return texts.length > 0 ? [{ plugin, title, texts }] : [];
  });
};
