import { en, type Messages } from './en.js';

<<<<<<< HEAD
/** Language of the page: the first one of the browser that there is. */
export const language = navigator.languages.find((one) => /^(?:de|en)\b/.test(one))?.startsWith('de') ? 'de' : 'en';
=======
/** Whether the page speaks German. */
export const german = navigator.languages.find((language) => /^(?:de|en)\b/.test(language))?.startsWith('de') ?? false;
>>>>>>> 281c9994 (feat(web): administrators manage the server on the page: libraries, people, work, backups, settings and more)

/** Texts of the page in its language. German is loaded only by those who read it. */
export const t: Messages = language === 'de' ? (await import('./de.js')).de : en;

document.documentElement.lang = language;
