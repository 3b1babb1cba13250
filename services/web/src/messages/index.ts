import { en, type Messages } from './en.js';

/** Languages of the page, by their own names. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const CHOSEN = 'continuo-language';
const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/** Language of the page: the one that was chosen in this browser, or the first of the browser's that there is. */
export const language: Language =
  [localStorage.getItem(CHOSEN) ?? '', ...navigator.languages.map((one) => one.slice(0, 2))].find((one) => isLanguage(one)) ?? 'en';

/** Keeps another language in this browser and loads the page in it. */
export const chooseLanguage = (chosen: Language): void => {
  localStorage.setItem(CHOSEN, chosen);
  location.reload();
};

/** Texts of the page in its language. German is loaded only by those who read it. */
export const t: Messages = language === 'de' ? (await import('./de.js')).de : en;

document.documentElement.lang = language;
