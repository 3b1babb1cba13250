import type { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { requestExternalMetadata, findArt, findLyrics, refreshArtistInfo, Rejection, type Fact } from '@continuo/contracts';
import type { PluginDirectory } from '../../src/features/external-metadata/plugin-directory.js';

const FUNCTIONS: ReadonlySet<string> = new Set([
  'metadata.artist',
  'metadata.album',
  'metadata.song',
  'metadata.label',
  'metadata.topSongs',
  'lyrics.find',
  'art.album',
]);

/** Plug-ins that can be asked everything. */
export const everyPlugin: PluginDirectory = { can: async (name) => FUNCTIONS.has(name) };

const mbid = '0383dadf-2a4e-4d10-a46a-e9e041da8eb3';

const answersOf = (kind: string): { plugin: string; title: string; facts: Record<string, Fact> }[] => [
  {
    plugin: 'musicbrainz',
    title: 'MusicBrainz',
    facts: { mbid, url: `https://musicbrainz.example/${kind}/${mbid}`, yearFormed: 1998, tags: ['sea & salt', 'folk'] },
  },
  { plugin: 'lastfm', title: 'Last.fm', facts: { summary: 'They <began> & went on.', similar: [{ name: 'Other & Co', score: 0.5 }] } },
];

/** Answers for those plug-ins: something of the things with number 1, nothing of the others. */
export const withExternalMetadata = (commands: InMemoryCommandClient): InMemoryCommandClient =>
  commands
    .handle(refreshArtistInfo, async ({ data }) => {
      if (data.artistId === 999) throw new Rejection('artist.not-found');
      return { result: { isEnabled: true, isKnown: data.artistId === 1 }, positions: [] };
    })
    .handle(requestExternalMetadata, async ({ data: { kind, id } }) => ({
      result: { answers: id === 1 ? answersOf(kind) : [] },
      positions: [],
    }))
    .handle(findLyrics, async ({ data }) => ({
      result: {
        found:
          data.songId === 1
            ? [
                {
                  plugin: 'lrclib',
                  title: 'LRCLIB',
                  texts: [{ language: 'xxx', synced: false, source: 'file' as const, lines: [{ text: 'over' }, { text: 'and under' }] }],
                },
              ]
            : [],
      },
      positions: [],
    }))
    .handle(findArt, async () => ({ result: { isEnabled: true, isFound: false }, positions: [] }));
