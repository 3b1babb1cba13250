import type { PreferenceCategory, PreferenceType } from '../messages/preference-definition.js';

/** Schema `social`: preferences that operators have made. The server's own are the table `builtInPreferences`. */
export interface PreferenceTable {
  id: number;
  name: string;
  description: string;
  level: number;
  type: PreferenceType;
  category: PreferenceCategory;
  subcategory: string | null;
  default_value: string;
}

/** Values that were set. An account without a row has the server's, and where nobody set that, the preference's default. */
export interface UserPreferenceTable {
  /** 0 = the server's. */
  user_id: number;
  preference_id: number;
  value: string;
}
