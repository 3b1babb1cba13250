import { callsNamed } from './calls-named.js';

/** Calls about radio stations. */
export const liveStreamCases: Readonly<Record<string, string>> = {
  ...callsNamed(`
    live_streams, live_stream, live_stream (unknown), live_stream (missing), live_stream_delete, live_stream_delete (unknown),
    list (live_stream), index (live_stream), get_indexes (live_stream)
  `),
  'live_streams (page)': 'action=live_streams&limit=1&sort=url,DESC',
  'live_streams (cond)': 'action=live_streams&cond=catalog,2',
  'live_streams (exact)': 'action=live_streams&filter=%C3%89t%C3%A9%20FM&exact=1',
  'live_streams (empty)': 'action=live_streams&filter=nothing%20like%20this',
  live_stream_create: 'action=live_stream_create&catalog=1&codec=ogg&name=Radio&url=https%3A%2F%2Fradio.example%2Fa.ogg',
  'live_stream_create (alias)':
    'action=live_streams_create&catalog=1&codec=.MP3&name=Radio&url=https%3A%2F%2Fradio.example%2Fa.mp3&site_url=http%3A%2F%2Fradio.example',
  'live_stream_create (unknown catalog)': 'action=live_stream_create&catalog=99&codec=ogg&name=Radio&url=http%3A%2F%2Fradio.example',
  'live_stream_create (no codec)': 'action=live_stream_create&catalog=1&codec=nonsense&name=Radio&url=http%3A%2F%2Fradio.example',
  'live_stream_create (no name)': 'action=live_stream_create&catalog=1&codec=mp3&name=%20&url=http%3A%2F%2Fradio.example',
  'live_stream_create (no address)': 'action=live_stream_create&catalog=1&codec=mp3&name=Radio&url=file%3A%2F%2F%2Fetc%2Fpasswd',
  'live_stream_create (password)': 'action=live_stream_create&catalog=1&codec=mp3&name=Radio&url=http%3A%2F%2Fada%3Asecret%40radio.example',
  'live_stream_create (missing)': 'action=live_stream_create&catalog=1&codec=mp3&name=Radio',
  live_stream_edit: 'action=live_stream_edit&filter=1&name=Other&url=&codec=aac&catalog=2',
  'live_stream_edit (no page)': 'action=live_stream_edit&filter=1&site_url=',
  'live_stream_edit (no address)': 'action=live_stream_edit&filter=1&name=Other&url=radio',
  'live_stream_edit (unknown)': 'action=live_stream_edit&filter=99&name=Other',
  'flag (unknown live_stream)': 'action=flag&type=live_stream&filter=99&flag=1',
};
