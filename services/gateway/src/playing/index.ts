export { jetStreamPlaying } from './playing-board.adapter.js';
export { inMemoryPlaying, PlayingSessions, unchanging, type PlayingBoard, type Player } from './playing-board.js';
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
