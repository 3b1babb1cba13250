import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import {
  addCatalog,
  cancelScan,
  catalogId,
  changeUser,
  definePreference,
  deleteSongFile,
  deleteUser,
  maintainPath,
  readSongTags,
  recoverPassword,
  registerUser,
  Rejection,
  removeCatalog,
  removePreference,
  rereadSongs,
  scanId,
  scannedTrack,
  setPreference,
  setUserPreferences,
  addCatalogGroup,
  changeCatalogGroup,
  joinCatalogGroup,
  signUp,
  startScan,
  userId,
} from '@continuo/contracts';

/** Tags that the fake reads from every file: most kinds, some missing. */
export const taggedTrack = scannedTrack.parse({
  fileName: '01.flac',
  sizeBytes: 7_076_300,
  mtimeMs: 1_700_000_000_000,
  digest: 'd',
  title: 'Home & <Away>',
  composers: ['Ada', 'Bo'],
  disk: 1,
  track: 9,
  trackTotal: 11,
  year: 1999,
  durationMs: 294_400,
  format: 'flac',
  mime: 'audio/flac',
  bitrateBps: 192_000,
  bitrateMode: 'vbr',
  sampleRateHz: 44_100,
  channels: 2,
  bpm: 128,
  isrcs: ['GBAYE0000351'],
  comment: 'nine ]]> lives',
  loudness: { trackGainDb: -2.97, trackPeak: 1, r128TrackGain: -512 },
  lyrics: [
    {
      language: 'eng',
      synced: true,
      source: 'tag',
      lines: [
        { startMs: 0, text: 'one' },
        { startMs: 900, text: 'two' },
      ],
    },
  ],
  artists: [{ name: 'Mira Vale', mbid: '0383dadf-2a4e-4d10-a46a-e9e041da8eb3' }, { name: 'Guest' }],
  albumArtists: [{ name: 'Mira Vale' }],
  album: { name: 'Harbour', originalYear: 1998, releaseDate: '1999-05-01', releaseTypes: ['album'], recordLabels: ['Tin Roof'] },
  genres: ['Folk', 'Electronica'],
  moods: [],
});

const outcome = { filesRead: 1, songsAdded: 0, songsChanged: 1, songsMoved: 0, songsRemoved: 0, filesSkipped: 0, skipped: [] };

/** Stands in for library and ingestion where catalogs are maintained: everything works, except for paths that say by their name what is wrong with them. */
export const maintenanceCommands = (): InMemoryCommandClient =>
  new InMemoryCommandClient()
    .handle(addCatalog, async () => ({ result: { catalogId: catalogId.parse(1) }, positions: [] }))
    .handle(removeCatalog, async () => ({ result: {}, positions: [] }))
    .handle(startScan, async () => ({ result: { scanId: scanId.parse('scan-1'), alreadyRunning: false }, positions: [] }))
    .handle(cancelScan, async () => ({ result: {}, positions: [] }))
    .handle(maintainPath, async ({ data: { path } }) => {
      if (path.includes('outside')) throw new Rejection('catalog.path-outside', undefined, path);
      if (path.includes('missing')) throw new Rejection('media.not-found', undefined, path);
      if (path.includes('undeletable')) throw new Rejection('media.failed', 'the file cannot be deleted (EACCES)', path);
      const skipped = [{ path, reason: 'damaged' as const, message: 'the file is damaged' }];
      return { result: path.includes('damaged') ? { ...outcome, filesRead: 0, filesSkipped: 1, skipped } : outcome, positions: [] };
    })
    .handle(rereadSongs, async ({ data }) => ({ result: { ...outcome, filesRead: data.songIds.length }, positions: [] }))
    .handle(readSongTags, async () => ({ result: { file: '/music/1/01.flac', track: taggedTrack }, positions: [] }))
    .handle(deleteSongFile, async () => ({ result: {}, positions: [] }))
    .handle(registerUser, async ({ data }) => {
      if (data.username === 'taken') throw new Rejection('user.name-taken', undefined, 'username');
      return { result: { userId: userId.parse(9) }, positions: [] };
    })
    .handle(changeUser, async ({ data }) => {
      if (data.email === 'taken@example.org') throw new Rejection('user.email-taken', undefined, 'email');
      return { result: {}, positions: [] };
    })
    .handle(deleteUser, async () => ({ result: {}, positions: [] }))
    .handle(signUp, async () => ({ result: { awaiting: 'approval' as const }, positions: [] }))
    .handle(setPreference, async () => ({ result: {}, positions: [] }))
    .handle(setUserPreferences, async () => ({ result: {}, positions: [] }))
    .handle(addCatalogGroup, async () => ({ result: { groupId: 1 }, positions: [] }))
    .handle(changeCatalogGroup, async () => ({ result: {}, positions: [] }))
    .handle(joinCatalogGroup, async () => ({ result: {}, positions: [] }))
    .handle(definePreference, async () => ({ result: { preferenceId: 1000 }, positions: [] }))
    .handle(removePreference, async () => ({ result: {}, positions: [] }))
    .handle(recoverPassword, async () => ({ result: {}, positions: [] }));
