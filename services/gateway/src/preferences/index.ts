export { SERVER_USER, type PreferenceSnapshot } from './preference-snapshot.js';
export { followPreferences, Preferences, readModelPreferences } from './preferences.js';
export { preferenceDefaults } from './preference-defaults.js';
