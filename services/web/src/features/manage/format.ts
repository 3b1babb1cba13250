import { language } from '../../messages/index.js';
import { m } from './messages/index.js';

export { size } from '../../lib/format.js';

const times = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
const counts = new Intl.NumberFormat(language);

/** A moment in words; `never` for none. */
export const when = (moment: string | null): string => (moment === null ? m.never : times.format(new Date(moment)));

/** A number as people write it. */
export const count = (value: number): string => counts.format(value);
