import { language } from '../../../messages/index.js';
import { en, type ManageMessages } from './en.js';

/** Texts of the managing views, in the language of the page. */
export const m: ManageMessages = language === 'de' ? (await import('./de.js')).de : en;
