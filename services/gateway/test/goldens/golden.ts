import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { answerLines, readGoldenText, writeGoldenText, type GoldenAnswers, type GoldenFormat } from './golden-text.js';

const root = new URL('../../../../contracts/golden/', import.meta.url);

/** Path of a golden file that is one text, for `toMatchFileSnapshot`: compared byte for byte, written anew by `vitest -u`. */
export const goldenPath = (path: string): string => fileURLToPath(new URL(path, root));

/** An API whose answers are kept: one file per case, with all its variants and formats. */
export type GoldenApi = 'native' | 'compat';

const pathOf = (api: GoldenApi, name: string): string => goldenPath(`${api}/${name}.txt`);

/** Format and variant of an answer. */
export interface GoldenForm {
  readonly format: GoldenFormat;
  /** API version, or form of the compatibility API. */
  readonly variant: string | number;
}

/** Names of the cases of an API that have a golden file. */
export const goldenNames = (api: GoldenApi): string[] =>
  readdirSync(goldenPath(`${api}/`))
    .map((file) => file.replace(/\.txt$/, ''))
    .toSorted();

/** Text of the golden file of a case; empty without one. */
export const goldenText = (api: GoldenApi, name: string): string =>
  existsSync(pathOf(api, name)) ? readFileSync(pathOf(api, name), 'utf8') : '';

/** Returns all answers that are kept of a case. */
export const goldenAnswers = (api: GoldenApi, name: string): GoldenAnswers => readGoldenText(goldenText(api, name));

/** Returns the answers of one variant and format, by case. */
export const goldenTexts = (api: GoldenApi, format: GoldenFormat, variant: string): { name: string; text: string }[] =>
  goldenNames(api).flatMap((name) => {
    const text = goldenAnswers(api, name)[format].get(variant);
    return text === undefined ? [] : [{ name, text }];
  });

/**
 * Compares an answer with the one that is kept, byte for byte; `vitest -u` writes it anew and leaves the case's other answers as they are.
 * All answers of a case belong to one spec file, so that nobody else writes its golden file at the same time.
 */
export const expectGolden = (api: GoldenApi, name: string, { format, variant }: GoldenForm, answer: string): void => {
  const answers = goldenAnswers(api, name);
  const kept = answers[format].get(String(variant));
  if (kept === answer) return;
  if (expect.getState().snapshotState.snapshotUpdateState !== 'all') {
    expect(answerLines(format, answer)).toEqual(kept === undefined ? 'no golden answer: run with -u' : answerLines(format, kept));
    expect(answer).toBe(kept);
  }
  const text = writeGoldenText({ ...answers, [format]: new Map(answers[format]).set(String(variant), answer) });
  if (readGoldenText(text)[format].get(String(variant)) !== answer)
    throw new Error(`${api}/${name}: a golden file cannot hold this answer`);
  writeFileSync(pathOf(api, name), text);
};
