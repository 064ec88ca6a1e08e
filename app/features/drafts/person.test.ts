import { expect, it } from 'vitest';
import { isOpenedByPerson } from './person.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const visit = (headers: Record<string, string>, method = 'GET') =>
  isOpenedByPerson(new Request('https://madhouse.example/case-studies/1', { method, headers }));

it.each([
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'WhatsApp/2.23.20.0',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  'curl/8.5.0',
])('does not count a link preview robot: %s', (agent) => expect(visit({ 'user-agent': agent })).toBe(false));

it('counts a browser that shows the page, but no prefetch or HEAD request, and none without the headers', () => {
  expect(visit({ 'user-agent': FIREFOX })).toBe(true);
  expect(visit({ 'user-agent': FIREFOX, 'sec-purpose': 'prefetch;prerender' })).toBe(false);
  expect(visit({ 'user-agent': FIREFOX, purpose: 'prefetch' })).toBe(false);
  expect(visit({ 'user-agent': FIREFOX }, 'HEAD')).toBe(false);
  expect(visit({})).toBe(false);
});
