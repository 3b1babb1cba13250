import { dialects } from '../dialects.js';
import { songOf } from '../expected.js';
import type { FactName, Facts } from '../facts.js';
import { soundByName, type CorpusCase, type Materials } from './case.js';
import { themes, type Trait } from './traits.js';

/** Themes that are in every dialect. The others show whether the names of a kind of tag are known, and one file of each kind of tag says so. */
const EVERYWHERE = new Set(['plain', 'several', 'scripts']);
/** One dialect for each kind of tag. */
const KINDS = new Set(['id3v24-mp3', 'id3v23-mp3', 'id3v22-mp3', 'flac', 'opus', 'm4a', 'ape-wv', 'asf', 'info', 'matroska']);

const holds = (dialect: string, { facts }: Trait): boolean =>
  Object.entries(facts).every(([name, values]) => dialects[dialect]?.holds(name as FactName, values));

const mergedFacts = (traits: readonly Trait[]): Facts => Object.assign({}, ...traits.map(({ facts }) => facts)) as Facts;

/** Lyrics that name a language in some formats only. */
const withLanguage = (dialect: string, traits: readonly Trait[]): Trait[] =>
  traits.map((trait) =>
    dialect.startsWith('id3') && trait.song.lyrics
      ? { ...trait, song: { ...trait.song, lyrics: trait.song.lyrics.map((text) => ({ ...text, language: 'eng' })) } }
      : trait,
  );

/** Works, groupings and the advisory are also extra tags, for the native API has no field for them. */
const withExtras = (dialect: string, traits: readonly Trait[]): Trait[] =>
  traits.map((trait) => {
    const extra = {
      ...(trait.facts.work ? { work: trait.facts.work.join('; ') } : {}),
      ...(trait.facts.grouping ? { grouping: trait.facts.grouping.join('; ') } : {}),
      ...(trait.facts.mb_work ? { musicbrainz_workid: trait.facts.mb_work.join('; ') } : {}),
      ...(trait.facts.movement ? { movement: 'Allegro' } : {}),
      ...(trait.facts.explicit && !['m4a', 'alac'].includes(dialect) ? { itunesadvisory: '1' } : {}),
    };
    return { ...trait, song: { ...trait.song, extraTags: { ...trait.song.extraTags, ...extra } } };
  });

/** A file per theme and dialect. */
export const taggedCases = (materials: Materials): CorpusCase[] => {
  const cases: CorpusCase[] = [];
  let number = 0;
  for (const [dialect, { sound: soundName, write }] of Object.entries(dialects)) {
    const sound = soundByName(materials, soundName);
    for (const [theme, traitsOf] of Object.entries(themes)) {
      if (!EVERYWHERE.has(theme) && !KINDS.has(dialect)) continue;
      number += 1;
      const base = { title: `Song ${number}`, artist: `Artist ${number}`, album: `Album ${number}` };
      const traits = withExtras(
        dialect,
        withLanguage(
          dialect,
          traitsOf({ number, artist: base.artist }).filter((trait) => holds(dialect, trait)),
        ),
      );
      if (traits.length === 0) continue;
      const facts = { title: [base.title], artist: [base.artist], album: [base.album], ...mergedFacts(traits) };
      const path = `tags/${dialect}/${theme}/song.${sound.suffix}`;
      const extraTags: Record<string, string> = Object.assign({}, ...traits.map(({ song }) => song.extraTags ?? {}));
      const contributors = traits.flatMap(({ song }) => song.contributors ?? []);
      const song = songOf(base, ...traits.map((trait) => trait.song), { extraTags, contributors });
      cases.push({ row: `tags: ${theme}`, files: [{ path, bytes: write(sound.bytes, facts) }], songs: [{ path, sound: soundName, song }] });
    }
  }
  return cases;
};
