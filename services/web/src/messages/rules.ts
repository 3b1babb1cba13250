import { language } from './index.js';
import type { RuleTexts } from './rule-texts.js';
import { ruleTexts as english } from './rules-en.js';

/** Texts of search rules in the language of the page. */
export const ruleTexts: RuleTexts = language === 'de' ? (await import('./rules-de.js')).ruleTexts : english;
