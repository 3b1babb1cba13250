export * from './format/playlist-file.js';
export { formatOfName, readPlaylistFile, type ReadOptions } from './format/read.js';
export { writePlaylistFile } from './format/write.js';
export { locationOfPath, uriOfPath, type PathStyle } from './location/write-location.js';
export { absoluteSegments, readLocation, segmentsOfPath, type LocationReading, type PathReading } from './location/path-readings.js';
export { matchMethods, type EntryMatch, type MatchedEntry, type MatchReport, type MatchMethod, type MissReason } from './matching/match.js';
export { matchSongs, type MatchOptions } from './matching/match-songs.js';
export { readAndMatch, type MatchedPlaylistFile } from './matching/read-and-match.js';
