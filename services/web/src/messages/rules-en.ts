import type { RuleTexts } from './rule-texts.js';

const numbers = ['is at least …', 'is at most …', 'is …', 'is not …', 'is more than …', 'is less than …'];
const texts = [
  'contains “…”',
  'does not contain “…”',
  'starts with “…”',
  'ends with “…”',
  'is “…”',
  'is not “…”',
  'sounds like “…”',
  'does not sound like “…”',
  'matches the pattern “…”',
  'does not match the pattern “…”',
];

export const ruleTexts: RuleTexts = {
  names: {},
  groups: { '': 'Any' },
  operators: {
    numeric: numbers,
    text: texts,
    multiple: [...texts, ...numbers],
    is_true: ['is true'],
    boolean: ['is true', 'is not true'],
    boolean_numeric: ['is …', 'is not …'],
    boolean_subsearch: ['has the song: …', 'does not have the song: …'],
    date: ['is before …', 'is after …'],
    days: ['is more than … days ago', 'is within the last … days'],
    recent_played: ['is among the last …'],
    recent_added: ['is among the last …'],
    recent_updated: ['is among the last …'],
    user_numeric: [
      '… has it as a favourite',
      '… gave it 5 stars',
      '… gave it 4 stars',
      '… gave it 3 stars',
      '… gave it 2 stars',
      '… gave it 1 star',
      '… gave it no stars',
    ],
  },
};
