import { expect, it } from 'vitest';
import { checkReply, fillIn, withReply } from './reply-templates.ts';

const facts = { title: 'A lamp', client: 'Rao', site: 'Madhouse', me: 'Meera' };

it('fills in the placeholders of a reply, and keeps other braces and dollar signs', () => {
  const template = '“{title}” for {client} is on {site}. {me} {you} {toString}';
  expect(fillIn(template, facts)).toBe('“A lamp” for Rao is on Madhouse. Meera {you} {toString}');
  expect(fillIn('{title}', { ...facts, title: '$& {client}' })).toBe('$& {client}');
});

it('inserts a reply below existing text', () => {
  expect(withReply(' \n', 'Thanks')).toBe('Thanks');
  expect(withReply('Hello.\n', 'Thanks')).toBe('Hello.\n\nThanks');
});

it('requires a name and a text', () => {
  expect(Object.keys(checkReply({ answer: 'ask', name: ' ', body: '' }))).toEqual(['name', 'body']);
  expect(checkReply({ answer: 'ask', name: 'One', body: 'Words' })).toEqual({});
});
