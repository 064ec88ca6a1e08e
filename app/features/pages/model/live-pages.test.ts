import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cacheableAddresses } from '#context/cacheable-address.ts';
import { framePage } from '../words/frame.ts';
import { contentAt } from './live-pages.ts';
import { pageSchemas } from './page-schemas.ts';

it('reserves every address of the site against pages that admins add', () => {
  const sql = readFileSync('supabase/migrations/20261201000450_pages.sql', 'utf8');
  const [, reserved] = /any \(array\[([^\]]+)\]/.exec(sql)!;
  const routes = readFileSync('app/routes.ts', 'utf8');
  const found = routes.matchAll(/^ {2,6}(?:\.\.\.\w+\()?(?: {2})?route\('([a-z-]+)[/']/gm);
  const names = [...found].map(([, name]) => name!);
  const nested = 'projects case-studies review media pages users messages settings trash log'.split(' ');
  expect(names.length).toBeGreaterThan(25);
  expect(names.filter((name) => !nested.includes(name) && !reserved!.includes(`'${name}'`))).toEqual([]);
});

it('leads the menu to the current address of a page, and leaves out missing ones', () => {
  const hrefs = ['/old#part', '/new', '/gone', '/about', 'https://example.com'];
  const frame = { ...framePage.words, menu: hrefs.map((to) => ({ label: to, href: to })) };
  const free = [{ path: '/new', title: 'New', content: pageSchemas.free.words, changed: '' }];
  const pages = { contents: { frame }, free, redirects: { '/old': '/new' } };
  const { menu } = contentAt('/privacy', pages, (path) => path === '/about').frame!;
  expect(menu.map(({ href }) => href)).toEqual(['/new#part', '/new', '/about', 'https://example.com']);
});

it('caches pages that admins add, and no other address with a single name', () => {
  const route = (id: string, path: string, knows?: string[]) => ({ [id]: { id, path, module: { handle: { knows } } } });
  const address = cacheableAddresses({ ...route('free', ':page', []), ...route('sign-in', 'sign-in') } as never);
  const pages = ['/open-studio?a=1', '/sign-in?next=/a', '/Sign-in', '/sign-in/', '/a/b'];
  expect(pages.map(address)).toEqual(['/open-studio', null, null, null, null]);
});
