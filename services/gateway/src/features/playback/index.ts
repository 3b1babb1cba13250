export { jetStreamPlaying } from './playing-session-store.adapter.js';
export { readOnlySessions, type PlayingSessionStore } from './playing-session-store.js';
export { afterAnnouncement, reportedStart, type PlaybackReport, type PlayingSession } from './playing-session.js';
export { reportPlayback } from './report-playback.js';
