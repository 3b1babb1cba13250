import { ADMINISTRATOR, MANAGER, no, rowsIn, text, yes, type Kind } from './preference-rows.js';

const never: Kind & { readonly isReadOnly: true } = { ...no, isReadOnly: true };
const always: typeof never = { ...yes, isReadOnly: true };
const nothing: typeof never = { ...text, isReadOnly: true };

const ofAccounts = [
  ...rowsIn(['interface', 'privacy'], {
    allow_personal_info_agent: [300, 'Others see with which client I played something lately: never', never],
    allow_personal_info_time: [301, 'Others who see what I did lately see when: always', always],
  }),
  ...rowsIn(['options', null], { notify_email: [302, 'Notifications by mail: none are sent', never] }),
  ...rowsIn(['options', 'api'], {
    api_always_download: [303, 'Streams of the native API count as downloads: never', never],
    subsonic_always_download: [304, 'Streams of the Subsonic API count as downloads: never', never],
    subsonic_force_album_artist: [305, 'Album artists in place of artists for the Subsonic API: never', never],
    subsonic_single_user_data: [306, 'Plays of one account in answers of the Subsonic API: never, all count', never],
  }),
  ...rowsIn(['options', 'feature'], {
    allow_stream_playback: [307, 'Media may be streamed, as allow_stream says', { ...always, sameAs: 'allow_stream' }, ADMINISTRATOR],
    allow_video: [308, 'There are videos, as the settings of the server say', always, MANAGER],
  }),
  ...rowsIn(['playlist', null], { demo_clear_sessions: [309, 'Votes end with the sessions of those who gave them: never', never] }),
  ...rowsIn(['streaming', null], { stream_beautiful_url: [310, 'Addresses of media without a query: none', never, ADMINISTRATOR] }),
  ...rowsIn(['streaming', 'player'], { broadcast_by_default: [311, 'The web player broadcasts: never', never] }),
];

const ofServer = [
  ...rowsIn(['system', null], {
    force_http_play: [312, 'Media by plain HTTP whatever the address of the server: never', never, ADMINISTRATOR],
    lock_songs: [313, 'A song plays for one listener at a time: never', never, ADMINISTRATOR],
  }),
  ...rowsIn(['system', 'backend'], {
    daap_backend: [314, 'DAAP is served: no', never, ADMINISTRATOR],
    daap_pass: [315, 'Password of DAAP: none', nothing, ADMINISTRATOR],
    perpetual_api_session: [316, 'Sessions have no end, as the settings of the server say', never, ADMINISTRATOR],
    subsonic_backend: [317, 'The Subsonic API is served: yes', always, ADMINISTRATOR],
    upnp_backend: [318, 'UPnP is served: no', never, ADMINISTRATOR],
    webdav_backend: [319, 'WebDAV is served: no', never, ADMINISTRATOR],
  }),
  ...rowsIn(['system', 'catalog'], {
    catalog_check_duplicate: [320, 'Scans leave out what is there already: no', never, ADMINISTRATOR],
    cron_cache: [321, 'Sums are made by a timer: no, they are always current', never, ADMINISTRATOR],
  }),
  ...rowsIn(['system', 'metadata'], {
    disabled_custom_metadata_fields_input: [322, 'Tags that are not read, by name: none', nothing, ADMINISTRATOR],
  }),
  ...rowsIn(['system', 'update'], { autoupdate: [323, 'The server looks for newer releases by itself: no', never, ADMINISTRATOR] }),
  ...rowsIn(['system', 'upload'], {
    upload_allow_edit: [324, 'Those who sent songs may edit them: no', never, ADMINISTRATOR],
    upload_allow_remove: [325, 'Those who sent songs may remove them: no', never, ADMINISTRATOR],
    upload_catalog_pattern: [326, 'Uploads are named by the patterns of their catalog: yes', always, ADMINISTRATOR],
    upload_script: [327, 'Program that runs after an upload: none', nothing, ADMINISTRATOR],
    upload_user_artist: [328, 'Whoever sends a song is its artist: no', never, ADMINISTRATOR],
  }),
];

/** Facts about the server that clients read as preferences and nobody can set. Two of them follow its settings (`preference-defaults.ts` of the gateway). */
export const serverFacts = [...ofAccounts, ...ofServer];
