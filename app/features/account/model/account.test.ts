import { expect, it } from 'vitest';
import { domainOf, phoneNumber, waitIn } from './account.ts';

it('parses the number of seconds to wait from the service’s message', () => {
  const after = (time: string) => waitIn(`For security purposes, you can only request this after ${time}.`);
  expect([after('43 seconds'), after('1 second'), waitIn('email rate limit exceeded')]).toEqual([43, 1, null]);
});

it('accepts phone numbers with spaces, hyphens and a country code', () => {
  expect(phoneNumber('+91 98200 00000')).toBe('+919820000000');
  expect(phoneNumber('0044 (20) 7946-0958')).toBe('+442079460958');
  for (const wrong of ['98200 00000', '+91', '+0123456789', '+91 98200 0000a', '+1234567890123456', ''])
    expect(phoneNumber(wrong), wrong).toBeNull();
});

it('takes the company domain from an email address', () => {
  expect(domainOf(' Asha@Studio.Example ')).toBe('studio.example');
  expect(domainOf('studio.example')).toBe('studio.example');
  for (const wrong of ['', 'asha', 'asha@', 'asha@localhost', 'a@b c.example', 'https://studio.example/'])
    expect(domainOf(wrong), wrong).toBeNull();
});
