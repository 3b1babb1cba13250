import { ADMINISTRATOR, MANAGER, no, number, oneOf, rowsIn, text, yes } from './preference-rows.js';

/** The languages that clients offer, by the names that they have for them. */
const languages = (
  'en_US ar_SA ca_ES cs_CZ da_DK de_CH de_DE el_GR en_AU en_GB es_ES fa_IR fi_FI fr_BE fr_FR gl_ES he_IL hi_IN hu_HU id_ID it_IT ja_JP ko_KR ' +
  'nb_NO nl_NL no_NO pl_PL pt_BR ro_RO ru_RU sv_SE tr_TR uk_UA vi_VN zh-Hant zh_CN zh_SG zh_TW'
).split(' ') as [string, ...string[]];

const ANYBODY = 0;
const CONTENT_MANAGER = 50;

const browsing = [
  ...rowsIn(['interface', null], {
    lang: [200, 'Language', oneOf(...languages), ADMINISTRATOR],
    show_donate: [201, 'Ask for donations at the foot of the page', no],
  }),
  ...rowsIn(['interface', 'browse'], {
    browse_filter: [202, 'Filter box above lists', no],
    hide_genres: [203, 'Lists without the column of genres', no],
    hide_single_artist: [204, 'Albums of one artist without the column of artists', no],
    libitem_browse_alpha: [205, 'Kinds that are listed by letter at first, with commas (album,artist)', text, MANAGER],
    show_license: [206, 'Show licences', yes],
    show_original_year: [207, 'Show the year of the first release beside albums', yes],
    show_played_times: [208, 'Show how often things were played', no],
    show_playlist_username: [209, 'Show whose a playlist is', yes],
    show_skipped_times: [210, 'Show how often things were skipped', no],
    show_subtitle: [211, 'Show the subtitles of albums', yes],
  }),
  ...rowsIn(['interface', 'cookies'], {
    browse_album_disk_grid_view: [212, 'Disks of albums as a grid', no],
    browse_album_grid_view: [213, 'Albums as a grid', no],
    browse_artist_grid_view: [214, 'Artists as a grid', no],
    browse_live_stream_grid_view: [215, 'Radio stations as a grid', no],
    browse_playlist_grid_view: [216, 'Playlists as a grid', no],
    browse_podcast_episode_grid_view: [217, 'Episodes of podcasts as a grid', no],
    browse_podcast_grid_view: [218, 'Podcasts as a grid', no],
    browse_song_grid_view: [219, 'Songs as a grid', no],
    browse_video_grid_view: [220, 'Videos as a grid', no],
  }),
];

const pages = [
  ...rowsIn(['interface', 'custom'], {
    custom_blankalbum: [221, 'Address of the picture of albums without one', text, MANAGER],
    custom_datetime: [222, 'How dates and times are written', text],
    custom_logo: [223, 'Address of the logo', text],
    custom_logo_user: [224, 'My picture in place of the logo', no],
    custom_timezone: [225, 'Time zone in which times are shown', text],
    site_title: [226, 'Title of the pages', { ...text, default: 'continuo' }, ADMINISTRATOR],
  }),
  ...rowsIn(['interface', 'home'], {
    home_moment_albums: [227, 'Some albums on the first page', yes],
    home_moment_videos: [228, 'Some videos on the first page', yes],
    home_now_playing: [229, 'What plays now on the first page', yes],
    home_recently_played: [230, 'What was played lately on the first page', yes],
    home_recently_played_all: [231, 'All kinds of media among what was played lately', no],
    index_dashboard_form: [232, 'Head of the first page leads to the dashboards', no],
    now_playing_per_user: [233, 'Show one thing for each user among what plays now', yes, CONTENT_MANAGER],
    of_the_moment: [234, 'How many albums or videos the first page picks; 0 leaves it to the client', number(0)],
  }),
  ...rowsIn(['interface', 'library'], {
    album_release_type: [235, 'Albums of an artist in groups by their type', yes],
    album_release_type_sort: [236, 'Order of these groups', { ...text, default: 'album,ep,live,single' }],
    external_links_bandcamp: [237, 'Link that searches Bandcamp', yes],
    external_links_discogs: [238, 'Link that searches Discogs', yes],
    external_links_duckduckgo: [239, 'Link that searches DuckDuckGo', yes],
    external_links_google: [240, 'Link that searches Google', yes],
    external_links_lastfm: [241, 'Link that searches Last.fm', yes],
    external_links_musicbrainz: [242, 'Link that searches MusicBrainz', yes],
    external_links_wikipedia: [243, 'Link that searches Wikipedia', yes],
    libitem_contextmenu: [244, 'Context menus on things of the library', yes, ANYBODY],
  }),
  ...rowsIn(['interface', 'privacy'], { show_wrapped: [245, 'A page with my year in music', no] }),
  ...rowsIn(['interface', 'query'], { offset_limit: [246, 'Things on one page of a list in the client', number(50), 5] }),
  ...rowsIn(['interface', 'theme'], {
    topmenu: [247, 'Menu at the top', no],
    ui_fixed: [248, 'Header that stays where it is', no],
  }),
];

const players = [
  ...rowsIn(['interface', 'notification'], {
    browser_notify: [249, 'Notifications of the browser when a song begins', yes],
    browser_notify_timeout: [250, 'Seconds that these stay', number(10)],
  }),
  ...rowsIn(['interface', 'player'], {
    direct_play_limit: [251, 'Most songs that one click plays', number(500)],
    show_lyrics: [252, 'Show lyrics', no, ANYBODY],
    slideshow_time: [253, 'Seconds without input until pictures of the artist are shown; 0 is never', number(0)],
    song_page_title: [254, 'Song that plays in the title of the page', yes],
    webplayer_confirmclose: [255, 'Ask before a window that plays is closed', no],
    webplayer_pausetabs: [256, 'Pause when another tab plays', yes],
  }),
  ...rowsIn(['streaming', 'player'], {
    webplayer_removeplayed: [257, 'Played songs that stay in the player’s list', oneOf('0', '1', '2', '3', '5', '10', '999')],
  }),
  ...rowsIn(['playlist', null], {
    extended_playlist_links: [258, 'More links beside what is in playlists', no],
    playlist_type: [
      259,
      'Form of playlist files that clients make',
      { ...oneOf('simple_m3u', 'pls', 'asx', 'ram', 'xspf', 'm3u'), default: 'm3u' },
      ADMINISTRATOR,
    ],
    show_playlist_media_parent: [260, 'Column of artists in playlists', no],
  }),
];

const sidebar = rowsIn(['interface', 'sidebar'], {
  show_album_artist: [261, 'Album artists in the side bar', yes],
  show_artist: [262, 'Artists in the side bar', no],
  show_folder: [263, 'Folders in the side bar', yes],
  sidebar_hide_browse: [264, 'No menu for browsing in the side bar', no],
  sidebar_hide_dashboard: [265, 'No dashboards in the side bar', no],
  sidebar_hide_information: [266, 'No information in the side bar', no],
  sidebar_hide_playlist: [267, 'No playlists in the side bar', no],
  sidebar_hide_search: [268, 'No search in the side bar', no],
  sidebar_hide_switcher: [269, 'No arrows that fold the side bar', no],
  sidebar_hide_video: [270, 'No videos in the side bar', no],
  sidebar_light: [271, 'Side bar folded at first', no],
  sidebar_order_browse: [272, 'Place of browsing in the side bar', number(10)],
  sidebar_order_dashboard: [273, 'Place of dashboards in the side bar', number(15)],
  sidebar_order_information: [274, 'Place of information in the side bar', number(60)],
  sidebar_order_playlist: [275, 'Place of playlists in the side bar', number(30)],
  sidebar_order_search: [276, 'Place of search in the side bar', number(40)],
  sidebar_order_video: [277, 'Place of videos in the side bar', number(20)],
});

const ofEverybody = rowsIn(['system', 'interface'], {
  custom_favicon: [278, 'Address of the icon of the pages', text, MANAGER],
  custom_login_background: [279, 'Address of the background of the login page', text, MANAGER],
  custom_login_logo: [280, 'Address of the logo of the login page', text, MANAGER],
  custom_text_footer: [281, 'Text at the foot of the pages', text, MANAGER],
  show_header_login: [282, 'Links to login and sign-up in the header', yes, ADMINISTRATOR],
});

/** Preferences that clients with pages of their own keep for an account, or for everybody. The server stores them and otherwise ignores them. */
export const clientPreferences = [...browsing, ...pages, ...players, ...sidebar, ...ofEverybody];
