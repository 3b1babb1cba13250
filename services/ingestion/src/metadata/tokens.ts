/** Injection tokens of what plug-ins are asked with. */
export const PROVIDERS = Symbol('Providers');
export const FACTS_SUBJECTS = Symbol('FactsSubjects');
export const ARTIST_INFO = Symbol('ArtistInfo');
export const FOUND_ART = Symbol('FoundArt');
