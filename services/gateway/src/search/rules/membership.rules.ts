import { never } from '../rule.js';
import { idOperand } from '../operands.js';
import { oneOf, text, type RuleDraft } from './rows.js';

// There are no playlists and no smartlists yet, so nothing is a member of one. They are put in here, and nowhere else.
const none = (): typeof never => never;

/** Whether it is in a playlist; the operand is the list. */
export const playlist: RuleDraft = oneOf(
  'playlist',
  'Playlist',
  ({ call }) => {
    idOperand(call.rule);
    return none();
  },
  { select: 'playlists', family: 'boolean_subsearch', volatile: true },
);

/** Whether a smartlist finds it; the operand is the list. */
export const smartPlaylist: RuleDraft = oneOf(
  'smartplaylist',
  'Smart Playlist',
  ({ call }) => {
    idOperand(call.rule);
    return none();
  },
  { select: 'smartlists', family: 'boolean_subsearch', volatile: true },
);

/** Whether it is in a playlist with a matching name. */
export const playlistName: RuleDraft = text('playlist_name', 'Playlist Name', none, { volatile: true });
