import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emailLayout } from './layout.ts';

const fileOf = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const config = fileOf('../config.toml');
const { templates } = emailLayout({});

it.each(Object.entries(templates))('%s is written to the files of hosted projects', (kind, { subject, html }) => {
  expect(fileOf(`${kind}.html`)).toBe(html);
  expect(config).toContain(`[auth.email.template.${kind}]\nsubject = ${JSON.stringify(subject)}`);
});

it('sets every e-mail in the brand of the settings', () => {
  const brand = emailLayout({
    site_name: 'Nila & <Co> {{ .Token }}',
    brand_colours: { hand: '#b3261e', machine: '#005f56', paper: '#fff6e5' },
  });
  const mails = [
    ...Object.values(brand.templates),
    { subject: '', text: '', html: brand.frame('A & B', '<p>Hello</p>') },
  ];
  expect(brand.sender).toBe('Nila & <Co>  .Token ');
  for (const { subject, html, text } of mails) {
    expect(subject + html + text).not.toMatch(/madhouse|#ee3a12|#2a44f5|#edeff0|#270f11|<Co>.*<table/i);
    expect(html).toContain('background:#b3261e');
    expect(html).toContain('NILA &AMP; &LT;CO&GT;');
  }
});
