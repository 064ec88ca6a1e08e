import { expect, it } from 'vitest';
import { contact } from '../words/contact.ts';
import { errorsIn, isTooQuick, messageIn } from './contact-form.ts';

const typed = (fields: Record<string, string>) => messageIn(new URLSearchParams(fields));
const good = { name: 'Asha', email: 'asha@example.com', message: 'Hello' };

it('trims the message and removes line breaks from its single-line fields', () => {
  const fields = { name: ' Asha\r\nBcc: all@example.com ', email: ' a@b.example ', message: '\r\nOne\r\ntwo\0 ' };
  const read = { name: 'Asha Bcc: all@example.com', email: 'a@b.example', message: 'One\ntwo' };
  expect(typed(fields)).toEqual(read);
  expect(typed({})).toEqual({ name: '', email: '', message: '' });
});

it('reports no errors for a valid message', () => {
  for (const email of ['a@b.co', 'first.last+tag@sub.example.co.in', 'o’neill@example.com', 'आशा@उदाहरण.भारत'])
    expect(errorsIn({ ...good, email }), email).toEqual({});
  expect(errorsIn({ ...good, message: '👋'.repeat(5000) })).toEqual({});
});

it('reports an error for each invalid field', () => {
  const { missingName, badEmail, missingMessage } = contact;
  expect(errorsIn(typed({}))).toEqual({ name: missingName, email: badEmail, message: missingMessage });
  const long = { ...good, name: 'x'.repeat(201), message: 'x'.repeat(5001) };
  expect(errorsIn(long)).toEqual({ name: contact.longName, message: contact.longMessage('5,001') });
  const wrong = ['asha', 'asha@example', 'a@b.co, c@d.co', 'a b@c.co', '<a@b.co>', 'a@b.co\nBcc: c@d.co'];
  for (const email of [...wrong, `${'a'.repeat(250)}@b.co`])
    expect(errorsIn({ ...good, email }), email).toEqual({ email: contact.badEmail });
});

it('flags a form sent too fast for a person, and accepts invalid timestamps', () => {
  const now = Date.now();
  for (const ago of [0, 1, 2999]) expect(isTooQuick(String(now - ago), now)).toBe(true);
  for (const opened of [String(now - 3000), String(now + 60_000), '', 'soon', null, 'Infinity'])
    expect(isTooQuick(opened, now), String(opened)).toBe(false);
});
