import type { CommandClient } from '@continuo/chassis';
import { addPlaylistMembers, scannedTrack } from '@continuo/contracts';
import { scanned } from '@continuo/read-model';
import { foreignEntry, queuedEntry, IdlePlayer } from '../../fakes/player-fixture.js';

const tagged = scannedTrack.parse(
  scanned('01.flac', {
    title: 'Night, part 1',
    artists: [{ name: 'The Harbour Lights' }],
    album: { name: 'The Long Night', year: 2004 },
    genres: ['Folk'],
    bpm: 97,
  }),
);

/** Songs 1 and 6, the latter hidden from some accounts, and a foreign entry. */
const player = new IdlePlayer([queuedEntry('song', 1), queuedEntry('song', 6), foreignEntry]);

/** Results of commands by subject. */
const RESULTS: Readonly<Record<string, unknown>> = {
  'cmd.library.add-catalog': { catalogId: 1 },
  'cmd.ingest.start-scan': { scanId: 'a-scan', alreadyRunning: false },
  'cmd.ingest.read-song-tags': { file: '/music/records/01.flac', track: tagged },
  'cmd.ingest.reread-songs': { filesRead: 1, filesSkipped: 0, skipped: [] },
  'cmd.ingest.refresh-artist-info': { isEnabled: true, isKnown: true },
  'cmd.ingest.ask-facts': { answers: [] },
  'cmd.ingest.find-lyrics': { found: [] },
  'cmd.ingest.find-art': { isEnabled: true, isFound: false },
  'cmd.identity.register-user': { userId: 9 },
  'cmd.identity.sign-up': { awaiting: 'approval' },
  'cmd.social.define-preference': { preferenceId: 1000 },
  'cmd.social.create-share': { shareId: 1 },
  'cmd.library.create-playlist': { playlistId: 1 },
  'cmd.library.change-playlist': { isChanged: true },
  'cmd.library.add-playlist-members': { added: 1 },
  'cmd.library.remove-playlist-members': { removed: 1 },
  'cmd.library.create-live-stream': { liveStreamId: 1 },
  'cmd.ingest.subscribe-podcast': { podcastId: 1 },
  'cmd.playback.place-bookmark': { bookmarkId: 1 },
  'cmd.playback.record-plays': { recorded: 1 },
  'cmd.playback.control-player': { isAccepted: true, status: player.status },
  'cmd.playback.read-player': { status: player.status, entries: player.entries },
};

/** True for adding to the list that already contains everything. */
const addsNothing = (subject: string, data: unknown): boolean =>
  subject === addPlaylistMembers.subject && addPlaylistMembers.schema.parse(data).isUnique;

/** A command client whose commands always succeed. */
export const answeringCommands = (): CommandClient => ({
  send: async ({ subject }, data) => ({
    result: (addsNothing(subject, data) ? { added: 0 } : (RESULTS[subject] ?? {})) as never,
    positions: [],
  }),
});
