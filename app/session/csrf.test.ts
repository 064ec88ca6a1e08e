import { describe, expect, it } from 'vitest';
import { isSameOriginForm, readForm } from './csrf.ts';

const ORIGIN = 'https://madhouse.example';
// As the server sees it behind a proxy with TLS.
const post = (headers: Record<string, string>, body = 'name=Asha') =>
  new Request('http://madhouse.example/contact', { method: 'POST', headers, body });
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('form protection (TM-39)', () => {
  it.each([
    [{ 'sec-fetch-site': 'same-origin', origin: ORIGIN }, true],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://www.madhouse.example' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ 'sec-fetch-site': 'cross-site', origin: ORIGIN }, false],
    [{ 'sec-fetch-site': 'same-site', origin: ORIGIN }, false],
    [{ origin: ORIGIN }, true],
    [{ origin: 'http://madhouse.example' }, true],
    [{ origin: 'https://madhouse.example.evil.example' }, false],
    [{ origin: 'null' }, false],
    [{}, true],
  ])('accepts %j as our own origin: %s', (headers, ours) => {
    expect(isSameOriginForm(post(headers as Record<string, string>), ORIGIN)).toBe(ours);
  });

  it('parses a form field by field', async () => {
    const type = `${FORM['content-type']}; charset=UTF-8`;
    const fields = await readForm(post({ 'content-type': type }, 'name=%E0%A4%86&x=a+b'), 99);
    expect([fields.get('name'), fields.get('x')]).toEqual(['आ', 'a b']);
  });

  it('rejects a body that is too large or is no form', async () => {
    await expect(readForm(post(FORM, 'x'.repeat(100)), 99)).rejects.toMatchObject({ status: 413 });
    const json = post({ 'content-type': 'application/json' }, '{}');
    await expect(readForm(json, 99)).rejects.toMatchObject({ status: 415 });
    const body = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1000)) });
    const request = new Request(ORIGIN, { ...{ method: 'POST', headers: FORM, body }, duplex: 'half' } as RequestInit);
    await expect(readForm(request, 50_000)).rejects.toMatchObject({ status: 413 });
  });
});
