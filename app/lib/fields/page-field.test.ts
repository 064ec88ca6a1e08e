import { describe, expect, it } from 'vitest';
import { checkValues, readContent } from './check-field.ts';
import { contentOf, definePage, fillWords, group, line, lines, list } from './page-field.ts';

const picture = { kind: 'picture', label: 'Picture' } as const;
const kinds = { picture: { label: 'Picture', fields: { picture } } };
const page = definePage('test', 'Test', {
  hero: group('Opening', { title: line('Title', 10).is('Title'), lead: line('Lead').is('In {city}') }),
  list: list('Services', ['service', 'services'], { name: line('Name') }, [1, 2]).is([{ name: 'One' }]),
  rules: lines('Rules', 'rules', 2).is(['a', 'b']),
  sections: { kind: 'sections', label: 'Sections', most: 3, words: [], kinds },
});
const { fields, words } = page;
const shown = { kind: 'picture', picture: { path: '/a.svg', alt: '' } };

describe('content of pages', () => {
  it('has the built-in words for each field that is missing or invalid', () => {
    const hero = { title: 'Title', lead: 'In {city}' };
    expect(words).toEqual({ hero, list: [{ name: 'One' }], rules: ['a', 'b'], sections: [] });
    expect(readContent(fields, null)).toEqual(words);
    const stored = { hero: { title: 'Longer than ten', lead: 'New' }, list: [{ name: 7 }], old: 1 };
    expect(readContent(fields, stored)).toEqual({ ...words, hero: { title: 'Title', lead: 'New' } });
  });

  it('leaves out invalid sections', () => {
    const sections = [shown, { kind: 'picture', picture: {} }, { kind: 'video' }, 'text'];
    expect(readContent(fields, { sections }).sections).toEqual([shown]);
  });

  it('has an error for each invalid field', () => {
    const sections = [{ kind: 'picture', picture: { path: 'x', alt: '' } }];
    const content = { ...words, hero: { title: '', lead: 'x' }, rules: ['a'], sections };
    expect(Object.keys(checkValues(fields, content).errors).join()).toBe('hero.title,rules,sections.0.picture.path');
    expect(checkValues(fields, words).errors).toEqual({});
  });

  it('names the city and the agency of the settings', () => {
    const agency = { city: '', name: 'Nila', portfolioName: 'Proofs' };
    expect(contentOf(page, {}, { ...agency, city: 'Pune' }).hero.lead).toBe('In Pune');
    expect(contentOf(page, { test: { hero: 'By {agency} {b}' } }, agency)).toEqual({ hero: 'By Nila {b}' });
  });

  it('chooses the word for one or several', () => {
    const text = '{left} {left|seat|seats}, {b|c|d}';
    expect(['1', '2'].map((left) => fillWords(text, { left }))).toEqual(['1 seat, {b|c|d}', '2 seats, {b|c|d}']);
  });
});
