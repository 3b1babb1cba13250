import { german } from '../../../messages/index.js';
import { en, type ManageMessages } from './en.js';

/** Texts of the managing views, in the language of the page. */
export const m: ManageMessages = german ? (await import('./de.js')).de : en;
