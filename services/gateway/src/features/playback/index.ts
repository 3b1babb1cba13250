export { jetStreamPlaying } from './playing-session-store.adapter.js';
export { readOnlySessions, type PlayingSessionStore, type Player } from './playing-session-store.js';
export {
  afterAnnouncement,
  endsAtMs,
  isLive,
  positionAt,
  reportedStart,
  type PlaybackReport,
  type PlayingSession,
  type PlayingState,
} from './playing-session.js';
export { reportPlayback } from './report-playback.js';
