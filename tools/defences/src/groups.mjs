/**
 * Groups of defences: sources that are changed, the specs that must find each change, and the share of changes in per cent below which a run fails. The share is
 * what was measured, rounded down (decision 0133); a group without one was not measured, and its run only reports. Paths are globs; those that begin with
 * neither `contracts/` nor `tools/` lie below `services/`. Groups without specs that start servers take minutes, others hours.
 */
const GATEWAY = 'gateway/src';
const AUTH = `${GATEWAY}/auth`;
const APIS = `${GATEWAY}/apis`;
const PAGE = `${APIS}/account-page`;
const SHARES = `${APIS}/share-page`;
const MATRIX = 'gateway/test/access-matrix';
const PODCASTS = 'ingestion/src/podcast';

/** Groups by name. */
export const groups = {
  /** Row 3 of `docs/security.md`: who may come from where, with what. */
  access: {
    mutate: [`${AUTH}/{access-rules,client-address,media-auth,player-caller,require-level}.ts`],
    specs: [`${AUTH}/**/*.unit.spec.ts`],
    atLeast: 90,
  },
  /** Rows 3, 14 and 15: whom a credential belongs to. */
  credentials: {
    mutate: [`${AUTH}/credentials/{credential-checks,identities,media-token}.ts`],
    specs: [`${AUTH}/**/*.unit.spec.ts`],
    atLeast: 81,
  },
  /** Rows 3, 4, 12 and 15: the other parts that need no server. */
  logins: {
    mutate: [
      `${AUTH}/{compat-auth,native-auth,native-login,operator-auth}.ts`,
      `${AUTH}/credentials/!(credential-checks|identities|media-token).ts`,
    ],
    specs: [`${AUTH}/**/*.unit.spec.ts`],
  },
  /** Rows 3, 15 and 17: what several gateways know of each other. */
  sessions: {
    mutate: [
      `${AUTH}/{catalog-visibility,create-auth,native-login}.ts`,
      `${AUTH}/credentials/{credential-checks,media-token,password-check}.ts`,
      `${AUTH}/{sessions,throttle}/*.ts`,
    ],
    specs: [`${AUTH}/**/*.{unit,int}.spec.ts`, `${MATRIX}/{guesses,threats}.int.spec.ts`],
  },
  /** Rows 1 and 17. */
  visibility: {
    mutate: [
      `${GATEWAY}/reads/visibility/*.ts`,
      `${GATEWAY}/preferences/{account-roles,privacy}.ts`,
      `${GATEWAY}/reads/plays/{bookmarks,play-queues}.reads.ts`,
      `${GATEWAY}/reads/people/annotations.reads.ts`,
      'public-events/src/audience.ts',
    ],
    specs: [
      `${MATRIX}/{hidden-catalog,matrix,other-user,taken-roles}.int.spec.ts`,
      `${APIS}/native/server-paths.int.spec.ts`,
      `${APIS}/events/events-audience.int.spec.ts`,
    ],
  },
  /** Row 2. */
  levels: {
    mutate: [`${AUTH}/native-auth.ts`, `${APIS}/native/{dispatch,method}.ts`, `${APIS}/compat/registry/endpoint.ts`],
    specs: [`${MATRIX}/{matrix,taken-roles}.int.spec.ts`, `${APIS}/compat/roles.int.spec.ts`],
  },
  /** Rows 1, 2 and 21: what accounts may do to each other. */
  accounts: {
    mutate: [
      `${APIS}/native/objects/user.object.ts`,
      `${APIS}/native/registry/people/{account,preference,unauthenticated,user}.methods.ts`,
      `${APIS}/native/registry/playing/playback.methods.ts`,
      `${APIS}/compat/registry/people/{account-administration,account}.endpoints.ts`,
    ],
    specs: [
      `${MATRIX}/{matrix,other-user}.int.spec.ts`,
      `${APIS}/native/{accounts,playback-behaviour,preferences}.int.spec.ts`,
      `${APIS}/compat/accounts.int.spec.ts`,
    ],
  },
  /** Rows 3, 11, 14 and 17. */
  shares: {
    mutate: [
      `${GATEWAY}/features/share/*.ts`,
      `${SHARES}/{share-page,share.surface}.ts`,
      'social/src/share/{share.decider,share-secrets}.ts',
    ],
    specs: [
      `${GATEWAY}/features/share/*.unit.spec.ts`,
      `${SHARES}/*.int.spec.ts`,
      'social/src/share/*.{unit,int}.spec.ts',
      `${MATRIX}/taken-roles.int.spec.ts`,
    ],
  },
  /** Rows 9, 11, 12, 14 and 15. */
  'web-login': {
    mutate: [
      `${AUTH}/web-auth.ts`,
      `${PAGE}/{account-page.surface,cookies,csrf-tokens,exchange,input,markup,proxy-login,upload}.ts`,
      `${PAGE}/actions/{account,sign-in}.actions.ts`,
      `${PAGE}/provider/*.ts`,
      `${GATEWAY}/features/media/avatars.ts`,
    ],
    specs: [`${PAGE}/**/*.{unit,int}.spec.ts`, `${AUTH}/web-auth.unit.spec.ts`, `${MATRIX}/guesses.int.spec.ts`],
  },
  /** Rows 9, 11, 12, 19 and 20. */
  requests: {
    mutate: [
      `${GATEWAY}/server/requests/{parameters,request-bounds}.ts`,
      `${GATEWAY}/server/{response-headers,server}.ts`,
      `${GATEWAY}/render/xml-text.ts`,
      `${APIS}/compat/request.ts`,
    ],
    specs: [
      `${GATEWAY}/server/requests/*.unit.spec.ts`,
      `${GATEWAY}/render/*.unit.spec.ts`,
      `${APIS}/compat/request.unit.spec.ts`,
      `${APIS}/media/media.int.spec.ts`,
      `${SHARES}/share-page.int.spec.ts`,
      `${MATRIX}/route-heads.int.spec.ts`,
    ],
  },
  /** Rows 6 and 7: where requests of the server may go, and names of files. */
  addresses: {
    mutate: ['chassis/src/outbound/public-address.ts', 'chassis/src/security/safe-file-name.ts'],
    specs: ['chassis/src/outbound/*.unit.spec.ts', 'chassis/src/security/safe-file-name.unit.spec.ts'],
    atLeast: 92,
  },
  /** Row 6: how they are sent. */
  outbound: {
    mutate: ['chassis/src/outbound/bad-ports.ts', 'chassis/src/outbound/adapters/*.ts', 'playback/src/relay/sending/relay-answer.ts'],
    specs: ['chassis/src/outbound/**/*.{unit,int}.spec.ts', 'playback/src/relay/relay-secrets.int.spec.ts'],
  },
  /** Row 7. */
  paths: {
    mutate: [
      `${APIS}/native/objects/context.ts`,
      `${GATEWAY}/reads/library/folders.reads.ts`,
      `${GATEWAY}/reads/podcasts/episode-files.ts`,
      `${GATEWAY}/search/rules/file.rules.ts`,
      'library/src/catalog/{catalog-folder,server-folders}.ts',
      'media-store/src/adapters/local-media-store.ts',
      'media-store/src/storage/loopback-media.ts',
    ],
    specs: [
      `${APIS}/native/native.unit.spec.ts`,
      `${APIS}/native/server-paths.int.spec.ts`,
      `${GATEWAY}/reads/podcasts/*.unit.spec.ts`,
      `${MATRIX}/threats.int.spec.ts`,
      'library/src/catalog/{catalog-folder,server-folders}.int.spec.ts',
      'media-store/src/adapters/local-media-store.int.spec.ts',
      'media-store/src/storage/loopback-media.int.spec.ts',
    ],
  },
  /** Rows 2, 13, 14, 18 and 21. */
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
  /** Rows 2, 3 and 17. */
  playing: {
    mutate: [
      `${GATEWAY}/features/hls/*.ts`,
      `${GATEWAY}/features/localplay/{availability,queue-entries}.ts`,
      `${GATEWAY}/features/media/send-episode.ts`,
      `${GATEWAY}/reads/podcasts/episode-file.reads.ts`,
      `${APIS}/hls/hls.surface.ts`,
      `${APIS}/media/play.surface.ts`,
      `${APIS}/compat/registry/library/video.endpoints.ts`,
    ],
    specs: [
      `${GATEWAY}/features/hls/*.unit.spec.ts`,
      `${GATEWAY}/features/captions/captions.int.spec.ts`,
      `${APIS}/hls/hls.int.spec.ts`,
      `${APIS}/media/episode-streams.int.spec.ts`,
      `${APIS}/native/localplay.int.spec.ts`,
      `${MATRIX}/taken-roles.int.spec.ts`,
    ],
  },
  /** Rows 3, 8 and 16. */
  transcodes: {
    mutate: [
      'transcoding/src/http/{byte-server,signed-address}.ts',
      'transcoding/src/slots.ts',
      'transcoding/src/target/transcode-plan.ts',
    ],
    specs: [
      'transcoding/src/*.unit.spec.ts',
      'transcoding/src/target/*.unit.spec.ts',
      'transcoding/src/http/*.int.spec.ts',
      'transcoding/src/work/{hostile,transcoder}.int.spec.ts',
    ],
  },
  /** Rows 1, 8 and 16. */
  playback: {
    mutate: [
      'contracts/src/messages/commands/bookmark.commands.ts',
      'playback/src/localplay/mpd/mpd-text.ts',
      'playback/src/bookmark/{bookmark-labels,bookmark.decider}.ts',
    ],
    specs: ['playback/src/localplay/mpd/*.unit.spec.ts', 'playback/src/bookmark/*.{unit,int}.spec.ts'],
  },
  /** Row 10: files of others. */
  playlists: {
    mutate: ['playlist-files/src/format/xspf.ts'],
    specs: ['playlist-files/src/format/*.unit.spec.ts'],
    atLeast: 81,
  },
  /** Rows 7, 9 and 10. */
  podcasts: {
    mutate: [`${PODCASTS}/feed/{feed-gatherer,read-feed}.ts`, `${PODCASTS}/download/{download-worker,episode-path,fetch-episode}.ts`],
    specs: [`${PODCASTS}/**/*.{unit,int}.spec.ts`],
  },
};
