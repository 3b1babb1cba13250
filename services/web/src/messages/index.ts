import { en, type Messages } from './en.js';

const german = navigator.languages.find((language) => /^(?:de|en)\b/.test(language))?.startsWith('de') ?? false;

/** Texts of the page in the first language of the browser that there is. German is loaded only by those who read it. */
export const t: Messages = german ? (await import('./de.js')).de : en;

document.documentElement.lang = german ? 'de' : 'en';
