import { expect, it } from 'vitest';
import { ruleTexts as german } from '../../messages/rules-de.js';
import { ruleTexts as english } from '../../messages/rules-en.js';
import { isComplete, newRule, ruleParams, sentenceOf, type RuleKind } from './rules.js';

const genre: RuleKind = { name: 'genre', label: 'Genre', type: 'text', widget: ['input', 'text'], title: 'Genre' };
const stars: RuleKind = {
  name: 'myrating',
  label: 'My Rating',
  type: 'numeric',
  widget: ['select', { 0: '0 Stars', 4: '4 Stars' }],
  title: '',
};
const isPlayed: RuleKind = { name: 'played', label: 'Played', type: 'boolean', widget: ['input', 'hidden'], title: '' };
const field: RuleKind = { name: 'metadata', label: 'Metadata', type: 'multiple', widget: ['subtypes', { mood: 'Mood' }], title: '' };

it('says a rule as a sentence, with the words of a choice instead of its value', () => {
  expect(sentenceOf({ name: 'genre', operator: '0', input: 'Ja$&zz', subtype: null }, genre, english)).toBe('Genre contains “Ja$&zz”');
  expect(sentenceOf({ name: 'myrating', operator: '0', input: '4', subtype: null }, stars, german)).toBe(
    'My Rating ist mindestens 4 Stars',
  );
  expect(sentenceOf({ name: 'metadata', operator: '10', input: '3', subtype: 'mood' }, field, english)).toBe('Mood is at least 3');
});

it('says what it can of a rule that the server does not list', () => {
  expect(sentenceOf({ name: 'rating', operator: '0', input: '4', subtype: null }, undefined, english)).toBe('rating 4');
});

it('asks for a value only where there is one', () => {
  expect([isComplete(newRule(genre), genre), isComplete(newRule(isPlayed), isPlayed), isComplete(newRule(stars), stars)]).toEqual([
    false,
    true,
    true,
  ]);
  expect(isComplete({ ...newRule(field), input: 'low' }, field)).toBe(true);
});

it('sends rules as numbered parameters, each with a value', () => {
  expect(ruleParams([newRule(isPlayed), { ...newRule(field), input: 'low' }])).toEqual({
    rule_1: 'played',
    rule_1_operator: '0',
    rule_1_input: '1',
    rule_2: 'metadata',
    rule_2_operator: '0',
    rule_2_input: 'low',
    rule_2_subtype: 'mood',
  });
});

it('has the same comparisons in both languages', () => {
  const counts = ({ operators }: typeof english): unknown => Object.entries(operators).map(([family, words]) => [family, words.length]);
  expect(counts(german)).toEqual(counts(english));
});
