import { describe, expect, it } from 'vitest';
import { linkAddress } from './link-address.ts';

describe('link tool', () => {
  it('converts a bare email address to a mailto link (RTE-07)', () => {
    expect(linkAddress(' maya@madhouse.example ')).toBe('mailto:maya@madhouse.example');
  });

  it.each([
    'http://a.example/b?c=d#e',
    'https://a.example',
    'mailto:a@b.example',
    'tel:+912255550142',
    '/case-studies',
    '#contact',
  ])('keeps %s (RTE-08)', (address) => expect(linkAddress(address)).toBe(address));

  it('adds https to a bare domain', () => {
    expect(linkAddress('madhouse.example/join')).toBe('https://madhouse.example/join');
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    'ftp://a.example',
    'file:///etc/passwd',
    'blob:https://a.example/1',
    '//a.example',
    'two words',
    'word',
    '',
  ])('drops %j (RTE-08)', (address) => expect(linkAddress(address)).toBeNull());
});
