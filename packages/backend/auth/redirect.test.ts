import { describe, expect, it } from 'vitest';
import { cpuTimeOf } from '../../../tests/cpu-time.ts';
import { isAllowed, matches } from './redirect.ts';

const SITE = 'https://madhouse.example';

describe('isAllowed', () => {
  const GLOBS = ['https://*.studio.example/**', 'https://exact.example'];

  it.each([
    ...[SITE, `${SITE}/admin?sb=#x`, 'https://app.studio.example/done', 'https://app.studio.example/deep/er?x=1'],
    ...['https://exact.example/', 'https://exact.example'],
  ])('accepts %s', (address) => expect(isAllowed(address, SITE, GLOBS)).toBe(true));

  it.each([
    ...['http://madhouse.example/', `${SITE}:444/`, `${SITE}.evil.example/`, `${SITE}@evil.example/`],
    ...['https://user:pass@madhouse.example/', `${SITE}//evil.example`, `${SITE}\\@evil.example`, '//evil.example'],
    ...['/admin', 'javascript:alert(1)', 'data:text/html,x', `blob:${SITE}/8f1c2d3e`],
    ...[`blob:${SITE.replace('//', '')}/8f1c2d3e`, 'https://127.0.0.1/', 'https://2130706433/', 'https://0x7f.1/'],
    ...['https://[::1]/', 'ftp://app.studio.example/', 'https://a.b.studio.example/', ` ${SITE}/`, `${SITE}/\n`],
    ...['https://evil.example/?https://app.studio.example/', 'https://evil.example/#https://app.studio.example/'],
    ...[`${SITE}/\u0000`, `${SITE}/${'x'.repeat(3000)}`],
  ])('rejects %j', (address) => expect(isAllowed(address, SITE, GLOBS)).toBe(false));

  it('rejects IP addresses and other schemes whatever glob is configured', () => {
    expect(isAllowed('https://10.0.0.1/', SITE, ['**'])).toBe(false);
    expect(isAllowed('javascript:alert(1)', SITE, ['**'])).toBe(false);
    expect(isAllowed('https://anywhere.example/', SITE, ['**'])).toBe(true);
  });
});

describe('matches', () => {
  it('stops * at dots and slashes, lets ** cross them, and matches one character with ?', () => {
    expect(matches('a*c', 'abbc')).toBe(true);
    expect(matches('a*c', 'ab.c')).toBe(false);
    expect(matches('a*c', 'ab/c')).toBe(false);
    expect(matches('a**c', 'ab./c')).toBe(true);
    expect(matches('a?c', 'abc')).toBe(true);
    expect(matches('a?c', 'ac')).toBe(false);
    expect(matches('*.x', '.x')).toBe(true);
    expect(matches('*.*', 'a.b')).toBe(true);
  });

  it('takes linear time where a regular expression would backtrack', async () => {
    const match = () => expect(matches(`${'**a'.repeat(30)}b`, 'a'.repeat(2000))).toBe(false);
    expect(await cpuTimeOf(match)).toBeLessThan(1000);
  });
});
