/** Spec and test title that prove a workaround for a client quirk; or the reason for having none. */
export type Honoured = { readonly spec: string; readonly test: string } | { readonly because: string };

/** A client quirk: the client, its sources, and our workaround. */
export interface Quirk {
  /** Beginning of the client's name. */
  readonly client: string;
  readonly sources: string;
  readonly honoured: Honoured;
}

const from =
  (spec: string) =>
  (test: string): Honoured => ({ spec, test });
const here = from('test/compat/quirks/clients.int.spec.ts');
const answers = from('test/compat/quirks/answers.int.spec.ts');
const requests = from('src/apis/compat/compat-requests.int.spec.ts');
const searches = from('src/apis/compat/compat-searches.int.spec.ts');
const media = from('src/apis/compat/compat-media.int.spec.ts');
const login = from('src/auth/compat-auth.unit.spec.ts');
const converted = from('src/apis/media/converted-streams.int.spec.ts');
const ids = from('src/apis/compat/ids.unit.spec.ts');
const queues = from('src/features/playback/places.int.spec.ts');
const because = (reason: string): Honoured => ({ because: reason });

const of = (client: string, rows: readonly (readonly [sources: string, honoured: Honoured])[]): Quirk[] =>
  rows.map(([sources, honoured]) => ({ client, sources, honoured }));

const EVERY_LOGIN = login('takes a %s');
const NO_TOKENS = login('answers %s to %o');
const LENGTH = converted('has exactly the length that is announced, filled up');
const FOLDERS = here('takes a music folder back as it was given, prefixed or not, and knows no other one');
const NO_EXTRAS = here('gets no nested elements when it is one that stumbles over them');
const OLD_VERSION = here('may say that it speaks an old version and use what is newer');
const EMPTY = answers('holds every list of an empty library, as an array');
const DATES = answers('has dates with a zone or none at all, and no null');

/** All published client quirks, in their order. */
export const quirks: readonly Quirk[] = [
  ...of('Symfonium', [
    ['V1ck3s/octo-fiesta#308', requests('is told who answers, also when the credentials are wrong')],
    ['sentriz/gonic#229', searches('for nothing give everything, in pages that fit together')],
    [
      'ampache/ampache#3421, kagemomiji/airsonic-advanced#184, DroppedNeedle/DroppedNeedle#129',
      searches('without a query mean everything too, and a count of zero nothing'),
    ],
    ['Chevron7Locked/kima-hub#126', here('finds a name in every genre, and its bookmarks')],
    ['ampache/ampache#4220', FOLDERS],
    ['soundspan/soundspan#624', converted('starts later')],
    ['nc-music/oc-music#1252', login('takes no notice of a header of another scheme')],
    ['Chevron7Locked/kima-hub#182', here('finds pictures of artists and the words of songs')],
    ['ampache/ampache#4220', DATES],
    ['ampache/ampache#4235', here('may have its address fetched by anything, as often as that likes')],
  ]),
  ...of('DSub', [
    ['ampache/ampache#2240, daneren2005/Subsonic#632, ampache/ampache#1830', OLD_VERSION],
    ['ampache/ampache#1203', here('may post with everything in the address')],
    ['ampache/ampache#1203, nc-music/oc-music#720', here('opens with its user, its bookmarks and its picture')],
    ['sentriz/gonic:server/ctrlsubsonic/spec/construct_by_tags.go', NO_EXTRAS],
    ['navidrome/navidrome:conf/configuration.go', NO_EXTRAS],
    ['sentriz/gonic:server/ctrlsubsonic/handlers_by_tags.go', here('may name years in either order')],
    ['daneren2005/Subsonic#1043', here('may ask for an artist by the bare number')],
    ['daneren2005/Subsonic#1099', here('may make up the picture of a playlist')],
    ['daneren2005/Subsonic#1093', answers('says of each song where it lies, in folders')],
    ['airsonic-advanced/airsonic-advanced#394, daneren2005/Subsonic#1042', NO_TOKENS],
    ['daneren2005/Subsonic#458, daneren2005/Subsonic#641, ampache/ampache#4232', FOLDERS],
    ['spl0k/supysonic#74', because('a setting of the client')],
    ['SFCyris/SoniqBoom#14', here('is told in an envelope that an operation does not exist')],
  ]),
  ...of('Ultrasonic', [
    ['ultrasonic/ultrasonic#454', from('test/compat/conformance.int.spec.ts')('accepts every answer of the extended form')],
    ['ultrasonic/ultrasonic#454, navidrome/navidrome#1099', here('finds one thing in each bookmark')],
    ['ultrasonic/ultrasonic#253, ultrasonic/ultrasonic#333', EVERY_LOGIN],
    ['ultrasonic/ultrasonic#174', answers('says its version among the first bytes')],
    ['ultrasonic/ultrasonic#404, ampache/ampache#2682', NO_TOKENS],
    ['ultrasonic/ultrasonic#91', ids('take a bare number where the kind is known')],
    ['ultrasonic/ultrasonic#453', here('gets a long playlist')],
    ['ultrasonic/ultrasonic#99', here('is licensed')],
    ['ampache/ampache#2107', answers('has the type of what was asked for')],
    ['airsonic/airsonic#759', converted('is a file once it is made')],
  ]),
  ...of('Feishin', [
    ['jeffvli/sonixd#135', here('may look at the state of scans, whoever it is')],
    ['jeffvli/feishin#2327', requests('is told who answers, also when the credentials are wrong')],
    ['jeffvli/feishin#1877, jeffvli/feishin#2208', here('gets the times of words when it asks for them')],
    ['audioling/audioling#39', EVERY_LOGIN],
  ]),
  ...of('Supersonic', [
    ['epoupon/lms#351', converted('is the file for raw')],
    ['supersonic-app/supersonic#367', queues('keeps order and repetitions, skips songs that are gone, and finds its place again')],
    [
      'supersonic-app/supersonic#910',
      from('src/apis/compat/playback-reports.int.spec.ts')('is shown where it is, by its own words and by the clock'),
    ],
    [
      'supersonic-app/supersonic#311, supersonic-app/supersonic#645',
      queues('goes on with the next one that is left where what played is gone'),
    ],
    ['opensubsonic/open-subsonic-api#162', here('may limit artists, playlists and genres to a music folder')],
  ]),
  ...of('Amperfy', [
    ['BLeeEZ/amperfy#209, BLeeEZ/amperfy#210', here('gets XML and nothing else from whoever answers')],
    ['BLeeEZ/amperfy#69', requests('are answered with status 200 and a type that tells an envelope from bytes')],
    ['lklynet/aurral#831', answers('has ids of letters, digits and dashes alone')],
    ['BLeeEZ/amperfy#209', because('how long a large library takes is measured (docs/benchmarks.md)')],
  ]),
  ...of('play:Sub', [
    ['airsonic-advanced/airsonic-advanced#400', EVERY_LOGIN],
    [
      'airsonic/airsonic#477',
      from('src/apis/compat/jukebox.int.spec.ts')('queues what ids name, in their order and as often as they come'),
    ],
  ]),
  ...of('Substreamer', [
    ['navidrome/navidrome#144, navidrome/navidrome#408', here('finds the same ids from artists to songs')],
    ['ghenry22/substreamer#144', answers('has ids of letters, digits and dashes alone')],
    ['ghenry22/substreamer#35', NO_TOKENS],
    ['kagemomiji/airsonic-advanced#392', answers('names a picture for every album and song')],
  ]),
  ...of('Tempo', [
    ['CappielloAntonio/tempo#376', from('src/apis/compat/podcasts.int.spec.ts')('says a length of every episode, be it unknown')],
    [
      'CappielloAntonio/tempo#105',
      from('src/apis/compat/request.unit.spec.ts')('passes with an older version of the same protocol, and not with a newer one'),
    ],
    ['eddyizm/tempus#371', EMPTY],
    ['eddyizm/tempus#971', answers('says nothing where it knows nothing of an artist')],
    ['CappielloAntonio/tempo#20', here('gets plain words from the older call for lyrics')],
  ]),
  ...of('Strawberry', [
    [
      'clementine-player/Clementine#6080, ampache/ampache#1704',
      ids('turn a dotted quad back into its number, and that into the kind of its band'),
    ],
    ['clementine-player/Clementine#7323, navidrome/navidrome#2924', NO_EXTRAS],
    ['clementine-player/Clementine#5122', here('needs no music folder for lists of albums')],
    [
      'epoupon/lms#16',
      from('src/apis/compat/compat-browsing.int.spec.ts')(
        'are cut into pages and limited to a folder, and an unknown folder holds nothing',
      ),
    ],
    ['strawberrymusicplayer/strawberry#1719', because('the client looks for the answer to another call')],
    ['strawberrymusicplayer/strawberry#180, epoupon/lms#181', answers('says its version among the first bytes')],
    ['strawberrymusicplayer/strawberry#718', because('this server speaks HTTP/1.1; HTTP/2 is the proxy’s in front of it')],
    ['strawberrymusicplayer/strawberry#243', here('is never sent elsewhere')],
  ]),
  ...of('Audinaut', [
    ['andrewrabert/Audinaut#37', requests('take parameters from a form body, which wins over the query')],
    ['epoupon/lms#76', answers('says its version among the first bytes')],
    ['nc-music/oc-music#720', EVERY_LOGIN],
  ]),
  ...of('Others', [
    ['music-assistant/support#3496, ampache/ampache#3952', here('finds the extensions under their name, without saying who it is')],
    ['music-assistant/support#3501', DATES],
    ['airsonic-advanced/airsonic-advanced#665, memen45/SubMusic#36', EMPTY],
    ['memen45/SubMusic#109', NO_EXTRAS],
    ['memen45/SubMusic#96', answers('never says that a trial is over')],
    ['epoupon/lms#877', DATES],
    ['sentriz/gonic:server/ctrlsubsonic/spec/spec.go', DATES],
    ['navidrome/navidrome#164, ampache/ampache#2853', answers('has in every playlist what is required of one, in its type')],
    ['ampache/ampache:src/Module/Api/SubsonicApiApplication.php', OLD_VERSION],
    [
      'sentriz/gonic:server/ctrlsubsonic/handlers_by_folder.go',
      because('what a file is is told as it is; its owner can have it converted'),
    ],
    ['sqrlmstr5000/Jamstash#254', LENGTH],
    ['epoupon/lms#244', LENGTH],
    ['airsonic/airsonic#723, airsonic/airsonic#1123, ampache/ampache#4035', LENGTH],
    ['gitbobobo/StreamMusic#274, gitbobobo/StreamMusic#983', searches('for nothing give everything, in pages that fit together')],
    ['shrimpza/aurial#29, xeals/sunk#7', because('ids have prefixes by the service description; bare numbers are taken')],
    ['nc-music/oc-music#1202', answers('has in every playlist what is required of one, in its type')],
    [
      'BlitterStudio/MB_SubSonic#48',
      from('src/apis/compat/compat-browsing.int.spec.ts')('can be walked from the top to the songs and back'),
    ],
    ['ampache/ampache#1830, Prior99/mopidy-subidy#30', here('gets pages of five hundred albums, and songs one by one')],
    [
      'opensubsonic/open-subsonic-api#38',
      media('is found under the id of an album, a song or a folder, with a second prefix too, and fits the wanted size'),
    ],
    ['Jeffser/Nocturne#211', NO_TOKENS],
    ['epoupon/lms#808, amcfy-music/amcfy-music#157', EVERY_LOGIN],
    ['nc-music/oc-music#1108', answers('has numbers for music folders and texts for everything else')],
    ['LumePart/Explo#72', here('is refused in JSON when it may not scan')],
    ['ampache/ampache:src/Module/Api/OpenSubsonic_Api.php', here('is never sent elsewhere')],
    ['ampache/ampache:src/Module/Api/OpenSubsonic_Api.php', from('src/apis/hls/hls.int.spec.ts')('has the type that VLC takes')],
    ['navidrome/navidrome:server/subsonic/transcode.go', because('a client says in its capabilities what it cannot play')],
    ['flozz/daily-mix#1', EMPTY],
  ]),
];
