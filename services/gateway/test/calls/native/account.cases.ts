import { callsNamed } from './calls-named.js';
import { SHA } from '../../native/document-world.fixture.js';

/** Calls about sessions, accounts and preferences. */
export const accountCases: Readonly<Record<string, string>> = {
  ...callsNamed(`
    handshake, user_preferences, system_preferences, ping, goodbye, users, user
  `),
  user_preference: 'action=user_preference&filter=album_sort',
  'user_preference (absent)': 'action=user_preference&filter=nothing',
  system_preference: 'action=system_preference&filter=share_expire',
  preference_create:
    'action=preference_create&filter=colour&type=string&category=interface&default=blue&description=Colour%20of%20the%20page&level=25&subcategory=theme',
  'preference_create (type)': 'action=preference_create&filter=colour&type=number&category=interface&default=1',
  preference_edit: 'action=preference_edit&filter=album_sort&value=year_desc',
  'preference_edit (value)': 'action=preference_edit&filter=album_sort&value=by_colour',
  preference_delete: 'action=preference_delete&filter=colour',
  'user (unknown)': 'action=user&filter=nobody',
  user_create: `action=user_create&username=new%20%26%20%3Cone%3E&password=${SHA}&email=new%40example.org`,
  'user_create (taken)': `action=user_create&username=taken&password=${SHA}&email=new%40example.org`,
  'user_create (address)': `action=user_create&username=new&password=${SHA}&email=nowhere`,
  'user_create (password)': 'action=user_create&username=new&password=clear&email=new%40example.org',
  'user_create (missing)': 'action=user_create&username=new',
  user_edit: 'action=user_edit&username=listener&city=Graz&maxbitrate=128000',
  'user_edit (taken)': 'action=user_edit&username=listener&email=taken%40example.org',
  'user_edit (administrator)': `action=user_edit&username=admin&password=${SHA}`,
  'user_edit (nobody)': 'action=user_edit&username=nobody&city=Graz',
  user_update: 'action=user_update&username=listener&city=Graz',
  user_delete: 'action=user_delete&username=listener',
  'user_delete (own)': 'action=user_delete&username=admin',
  register: `action=register&username=new&password=${SHA}&email=new%40example.org&fullname=New`,
  lost_password: `action=lost_password&auth=${SHA}`,
};
