/**
 * Groups of defences: sources that are changed, the specs that must miss each change, and the share of changes, in per cent, below which a run fails. The share is
 * what was measured, rounded down (decision 0133); a group without one was not measured, and its run only reports.
 * Paths are globs. Those below `services/` leave that out.
 */
const AUTH = 'gateway/src/auth';
const PAGE = 'gateway/src/apis/account-page';
const MATRIX = 'gateway/test/access-matrix';
const SHARE_PAGE = 'gateway/src/apis/share-page';

/** Groups by name. */
export const groups = {
  logins: {
    mutate: [
      `${AUTH}/{access-rules,client-address,compat-auth,media-auth,native-auth,native-login,operator-auth,player-caller,require-level}.ts`,
      `${AUTH}/credentials/*.ts`,
    ],
    specs: [`${AUTH}/**/*.unit.spec.ts`],
  },
  sessions: {
    mutate: [`${AUTH}/{catalog-visibility,create-auth,web-auth}.ts`, `${AUTH}/sessions/*.ts`, `${AUTH}/throttle/*.ts`],
    specs: [`${AUTH}/**/*.{unit,int}.spec.ts`, `${MATRIX}/{guesses,threats}.int.spec.ts`],
  },
  visibility: {
    mutate: ['gateway/src/reads/visibility/*.ts', 'gateway/src/preferences/{account-roles,privacy}.ts', 'public-events/src/audience.ts'],
    specs: [
      `${MATRIX}/{hidden-catalog,other-user,taken-roles}.int.spec.ts`,
      'gateway/src/apis/native/{server-paths,accounts,preferences}.int.spec.ts',
      'gateway/src/apis/events/events-audience.int.spec.ts',
    ],
  },
  levels: {
    mutate: ['gateway/src/apis/native/{dispatch,method}.ts', 'gateway/src/apis/compat/registry/endpoint.ts', 'gateway/src/apis/access-list.surface.ts'],
    specs: [`${MATRIX}/{matrix,taken-roles}.int.spec.ts`, 'gateway/src/apis/access-list.int.spec.ts', 'gateway/src/apis/compat/roles.int.spec.ts'],
  },
  shares: {
    mutate: ['gateway/src/features/share/*.ts', `${SHARE_PAGE}/share.surface.ts`, 'social/src/share/{share.decider,share-secrets}.ts'],
    specs: [
      'gateway/src/features/share/*.unit.spec.ts',
      `${SHARE_PAGE}/*.int.spec.ts`,
      'social/src/share/*.{unit,int}.spec.ts',
      `${MATRIX}/taken-roles.int.spec.ts`,
    ],
  },
  'web-login': {
    mutate: [`${PAGE}/{cookies,csrf-tokens,exchange,input,markup,proxy-login,upload}.ts`, `${PAGE}/actions/{account,sign-in}.actions.ts`, `${PAGE}/provider/*.ts`],
    specs: [`${PAGE}/**/*.{unit,int}.spec.ts`],
  },
  requests: {
    mutate: [
      'gateway/src/server/requests/{parameters,request-bounds}.ts',
      'gateway/src/server/response-headers.ts',
      'gateway/src/render/xml-text.ts',
      'gateway/src/apis/compat/request.ts',
    ],
    specs: ['gateway/src/server/requests/*.unit.spec.ts', 'gateway/src/render/*.unit.spec.ts', 'gateway/src/apis/compat/request.unit.spec.ts', `${MATRIX}/route-heads.int.spec.ts`],
  },
  outbound: {
    mutate: ['chassis/src/outbound/**/*.ts', 'playback/src/relay/sending/relay-answer.ts'],
    specs: ['chassis/src/outbound/**/*.{unit,int}.spec.ts', 'playback/src/relay/relay-secrets.int.spec.ts'],
  },
  paths: {
    mutate: [
      'chassis/src/security/safe-file-name.ts',
      'library/src/catalog/{catalog-folder,server-folders}.ts',
      'media-store/src/adapters/local-media-store.ts',
      'media-store/src/storage/loopback-media.ts',
      'gateway/src/reads/podcasts/episode-files.ts',
    ],
    specs: [
      'chassis/src/security/safe-file-name.unit.spec.ts',
      'library/src/catalog/{catalog-folder,server-folders}.int.spec.ts',
      'media-store/src/adapters/local-media-store.int.spec.ts',
      'media-store/src/storage/loopback-media.int.spec.ts',
      'gateway/src/reads/podcasts/*.unit.spec.ts',
    ],
  },
  secrets: {
    mutate: [
      'chassis/src/security/{sealer.adapter,random-token}.ts',
      'chassis/src/log.ts',
      'social/src/config.ts',
      'social/src/user/{account-secrets,administrators.decider,recovery,user-state,user.decider}.ts',
      'tools/standalone/src/secret.ts',
    ],
    specs: [
      'chassis/src/security/sealer.unit.spec.ts',
      'chassis/src/log.unit.spec.ts',
      'social/src/config.unit.spec.ts',
      'social/src/user/**/*.{unit,int}.spec.ts',
      'social/src/social.int.spec.ts',
      'tools/standalone/src/secret.int.spec.ts',
    ],
  },
  playing: {
    mutate: [
      'gateway/src/features/hls/*.ts',
      'gateway/src/apis/hls/hls.surface.ts',
      'transcoding/src/http/{byte-server,signed-address}.ts',
      'transcoding/src/slots.ts',
      'transcoding/src/target/transcode-plan.ts',
      'playback/src/localplay/mpd/mpd-text.ts',
      'playback/src/bookmark/{bookmark-labels,bookmark.decider}.ts',
    ],
    specs: [
      'gateway/src/features/hls/*.unit.spec.ts',
      'gateway/src/apis/hls/hls.int.spec.ts',
      'transcoding/src/http/*.int.spec.ts',
      'transcoding/src/*.unit.spec.ts',
      'transcoding/src/target/*.unit.spec.ts',
      'playback/src/localplay/mpd/*.unit.spec.ts',
      'playback/src/bookmark/*.{unit,int}.spec.ts',
    ],
  },
  foreign: {
    mutate: ['ingestion/src/podcast/feed/{feed-gatherer,read-feed}.ts', 'ingestion/src/podcast/download/{download-worker,episode-path,fetch-episode}.ts', 'playlist-files/src/format/xspf.ts'],
    specs: ['ingestion/src/podcast/**/*.{unit,int}.spec.ts', 'playlist-files/src/format/*.unit.spec.ts'],
  },
};
