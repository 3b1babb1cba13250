import { en, type Messages } from './en.js';

/** Language of the page: the first one of the browser that there is. */
export const language = navigator.languages.find((one) => /^(?:de|en)\b/.test(one))?.startsWith('de') ? 'de' : 'en';

/** Texts of the page in its language. German is loaded only by those who read it. */
export const t: Messages = language === 'de' ? (await import('./de.js')).de : en;

document.documentElement.lang = language;
