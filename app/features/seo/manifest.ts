import { href } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import type { Route } from './+types/manifest';
import { feed, orUnavailable } from './answer.ts';

const icon = (src: string, size: number | 'any', purpose = 'any') => ({
  src,
  sizes: size === 'any' ? size : `${size}x${size}`,
  type: src.endsWith('.svg') ? 'image/svg+xml' : 'image/png',
  purpose,
});

const maskable = icon('/icon-maskable-512.png', 512, 'maskable');

export const handle: PageHandle = { knows: [] };

export const loader = ({ context }: Route.LoaderArgs) =>
  orUnavailable(async () => {
    const { agency } = await context.get(siteContext).facts();
    const manifest = {
      id: '/',
      name: agency.organisation,
      short_name: agency.name,
      description: agency.defaultDescription,
      lang: 'en',
      start_url: href('/'),
      scope: '/',
      display: 'minimal-ui',
      theme_color: agency.colours.paper,
      background_color: agency.colours.paper,
      icons: [icon('/icon.svg', 'any'), icon('/icon-192.png', 192), icon('/icon-512.png', 512), maskable],
    };
    return feed('application/manifest+json', JSON.stringify(manifest));
  });
