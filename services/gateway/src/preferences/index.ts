export { isRoleGiven, isRoleTaken, requireRole } from './account-roles.js';
export { SERVER_USER, type PreferenceSnapshot } from './preference-snapshot.js';
export { followPreferences, Preferences, readModelPreferences } from './preferences.js';
export { inWantedYear, wantsOriginalYear } from './original-year.js';
export { allowedTo } from './privacy.js';
export { preferenceDefaults } from './preference-defaults.js';
