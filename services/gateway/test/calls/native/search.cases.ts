import { callsNamed } from './calls-named.js';

/** Calls that search by rules and words. */
export const searchCases: Readonly<Record<string, string>> = {
  ...callsNamed(`
    search_rules (song), search_rules (album), search_rules (album_disk), search_rules (artist), search_rules (label),
    search_rules (playlist), search_rules (genre), search_rules (user), search_rules (podcast), search_rules (video)
  `),
  search_songs: 'action=search_songs&filter=harbour',
  'advanced_search (song)': 'action=advanced_search&type=song&rule_1=anywhere&rule_1_operator=0&rule_1_input=harbour',
  'advanced_search (album)': 'action=advanced_search&type=album&rule_1=title&rule_1_operator=0&rule_1_input=o',
  'advanced_search (artist)': 'action=advanced_search&type=artist&rule_1=artist&rule_1_operator=2&rule_1_input=The%20',
  'search (song)':
    'action=search&operator=or&limit=3&rule_1=title&rule_1_operator=0&rule_1_input=watch|opening&rule_7=year&rule_7_operator=5&rule_7_input=2000',
  'search (album)':
    'action=search&type=album&rule_1=song_count&rule_1_operator=0&rule_1_input=1&rule_2=genre&rule_2_operator=4&rule_2_input=folk',
  'search (artist)': 'action=search&type=artist&rule_1=name&rule_1_operator=6&rule_1_input=harber%20lihgts',
  'search (album_disk)': 'action=search&type=album_disk&rule_1=title&rule_1_operator=0&rule_1_input=long',
  'search (tag)': 'action=search&type=tag&rule_1=title&rule_1_operator=8&rule_1_input=^(f|e)',
  'search (label)': 'action=search&type=label&rule_1=name&rule_1_operator=0&rule_1_input=pier',
  'search (user)': 'action=search&type=user&rule_1=username&rule_1_operator=0&rule_1_input=%25',
  'search (playlist)': 'action=search&type=playlist&rule_1=title&rule_1_operator=0&rule_1_input=x',
  'search (song_artist)': 'action=search&type=song_artist&rule_1=title&rule_1_operator=1&rule_1_input=zz',
  'search (empty)': 'action=search&rule_1=title&rule_1_operator=4&rule_1_input=nothing%20like%20this',
  'search (podcast)': 'action=search&type=podcast&rule_1=title&rule_1_operator=0&rule_1_input=x',
  'search (type)': 'action=search&type=nothing&rule_1=title&rule_1_operator=0&rule_1_input=x',
  'search (rule)': 'action=search&rule_1=nothing&rule_1_operator=0&rule_1_input=x',
  'search (missing)': 'action=search&rule_1=title&rule_1_operator=0',
  'search (operator)': 'action=search&rule_1=title&rule_1_operator=99&rule_1_input=x',
  'search (operand)': 'action=search&rule_1=year&rule_1_operator=0&rule_1_input=soon',
  'search (regex)': 'action=search&rule_1=title&rule_1_operator=8&rule_1_input=(((',
  'search_group (all)': 'action=search_group&rule_1=title&rule_1_operator=0&rule_1_input=%25',
  'search_group (music)': 'action=search_group&type=all&filter=music&rule_1=title&rule_1_operator=0&rule_1_input=o',
  'search_group (podcast)': 'action=search_group&type=podcast&rule_1=title&rule_1_operator=0&rule_1_input=o',
  'search_group (empty)': 'action=search_group&type=music&rule_1=title&rule_1_operator=0&rule_1_input=nothing%20like%20this',
  'search_group (type)': 'action=search_group&type=nothing&rule_1=title&rule_1_operator=0&rule_1_input=x',
  'search_group (types)': 'action=search_group&types=genre,album,label&operator=or&limit=2&rule_1=title&rule_1_operator=0&rule_1_input=o',
  'search_group (types unknown)': 'action=search_group&types=genre,nothing&rule_1=title&rule_1_operator=0&rule_1_input=o',
  'search (video)': 'action=search&type=video&rule_1=file&rule_1_operator=0&rule_1_input=mp4',
  'search (genre by videos)': 'action=search&type=genre&rule_1=video_count&rule_1_operator=0&rule_1_input=1',
  'search_group (video)': 'action=search_group&type=video&rule_1=file&rule_1_operator=2&rule_1_input=/music',
  'search (playlist by owner)': 'action=search&type=playlist&rule_1=owner&rule_1_operator=0&rule_1_input=1',
  'search (song by playlist)': 'action=search&type=song&rule_1=playlist&rule_1_operator=0&rule_1_input=1',
  'search_group (playlist)': 'action=search_group&type=all&rule_1=title&rule_1_operator=0&rule_1_input=overture',
  'search (smartlist)': 'action=search&rule_1=smartplaylist&rule_1_operator=0&rule_1_input=1',
  'search (not in smartlist)': 'action=search&type=album&rule_1=smartplaylist&rule_1_operator=1&rule_1_input=smart_1',
};
