import { readFileSync } from 'node:fs';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { projectFiles } from '../../../tests/project-files.ts';

/** Texts that the specification fixes stand in the acceptance list. */
const FIXED = readFileSync('docs/acceptance.md', 'utf8');

/** Where film is a craft: the public pages and the parts of a credit. */
const CRAFTS = /^app\/features\/(pages|masterclass|credits)/;

/** One spelling or word for each thing on screen, and those it must not have. */
const SPELLINGS: readonly (readonly [wrong: RegExp, right: string, except?: RegExp])[] = [
  [/\bfilms?\b/i, 'video', CRAFTS],
  [/\be-mails?\b/i, 'email'],
  [/\b(log(ged)? in|signin|logins?)\b/i, 'sign in'],
  [/\b(log ?out|logged out)\b/i, 'sign out'],
  [/\bimages?\b(?!\.)/i, 'picture'],
  [/\b(whoever|somebody|anew)\b/i, 'the person meant: a user, a visitor, "someone"'],
  [/\bpress(es|ed)? (the|that|this|“|Add|Send)/i, 'click, or the name of the button'],
];

/** Words with a capital in the middle of a sentence. */
const NAMES = new Set(
  `AI API CSV GST JSON HTML Madhouse Mad Experiment Experiments Masterclass Collective Join The Meet Mumbai India Asia Kolkata English
   Jewelry Anybody Thin Martian Mono SemiExpanded Print House Mill Lane Lower Parel Creative Radio Atlas Thousand Looms Tuesday Direct Method Signup
   Instagram LinkedIn WhatsApp YouTube Vimeo Google Supabase PostgreSQL Behance Ctrl Enter Escape Esc Shift Settings Users Database Media Trash Log Help
   January February March April May June July August September October November December`.split(/\s+/),
);

/** Attributes of elements and properties of components that hold no words. */
const WORDLESS =
  /^(className|id|name|type|role|href|to|htmlFor|rel|method|action|d|viewBox|key|as|autoComplete|sizes|media)$/;

type Node = { type: string; start: number; [key: string]: unknown };

/** What people can read in a source file: texts between tags, and every string that begins like a sentence or a label. */
function textsOf(file: string): { text: string; at: string }[] {
  const source = readFileSync(file, 'utf8');
  const texts: { text: string; at: string }[] = [];
  const visit = (value: unknown, attribute = ''): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, attribute);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const node = value as Node;
    if (node.type === 'ImportDeclaration' || (node.type?.startsWith('TS') && !('expression' in node))) return;
    const name = node.type === 'JSXAttribute' ? String((node['name'] as Node)['name']) : attribute;
    if (WORDLESS.test(name)) return;
    const text =
      node.type === 'JSXText' || (node.type === 'Literal' && typeof node['value'] === 'string')
        ? (node['value'] as string)
        : node.type === 'TemplateElement'
          ? (node['value'] as { cooked: string }).cooked
          : '';
    const words = text
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    if (/^[^a-z]?[A-Z]/.test(words) || (/ /.test(words) && /\bwords\b/.test(file)) || node.type === 'JSXText')
      if (/[a-z]/.test(words))
        texts.push({ text: words, at: `${file}:${source.slice(0, node.start).split('\n').length}` });
    for (const [key, child] of Object.entries(node)) if (key !== 'type') visit(child, name);
  };
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file));
  return texts;
}

const files = projectFiles().filter(
  (file) => /^(app|supabase\/functions|server)\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
);
const texts = files.flatMap(textsOf).filter(({ text }) => !FIXED.includes(text));

describe('words on screen', () => {
  it('use one spelling per term', () => {
    const wrong = texts.flatMap(({ text, at }) =>
      SPELLINGS.filter(([spelling, , except]) => spelling.test(text) && !except?.test(at)).map(
        ([, right]) => `${at}: "${text}" → ${right}`,
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('are in sentence case unless the specification fixes them', () => {
    const titled = texts.filter(({ text }) => {
      const words = text.split(' ');
      const isCapital = (word: string, index: number) =>
        /^[A-Z][a-z]+$/.test(word) && !NAMES.has(word) && !/[.!?:“]$/.test(words[index]!);
      return words.length > 1 && words.length < 8 && words.slice(1).some(isCapital);
    });
    expect(titled.map(({ text, at }) => `${at}: ${text}`)).toEqual([]);
  });
});
