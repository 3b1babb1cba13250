export { generateCorpus, type CorpusManifest, type ManifestSong } from './corpus/corpus.js';
export type { ExpectedSong } from './corpus/expected.js';
export { fileFormats, formatNames, parseFormats, type FormatName } from './files/formats.js';
export { generateBroken } from './files/generate-broken.js';
export { generateFiles } from './files/generate-files.js';
export { makeJoinedAlbum, makeNoise, makeTone, type JoinedAlbum } from './files/long-files.js';
export type { Manifest } from './files/manifest.js';
export { albumFolder, trackStem } from './files/paths.js';
export { makeSeeds } from './files/seed-files.js';
export { tagWriter } from './files/tag-writer.js';
export {
  syntheticLibrary,
  type LibraryShape,
  type SyntheticAlbum,
  type SyntheticArtist,
  type SyntheticLibrary,
  type SyntheticTrack,
} from './synthetic/library.js';
export { albumName, GENRES, MOODS, trackTitle, uniqueWord } from './synthetic/names.js';
export { randomFor, type Random } from './synthetic/random.js';
