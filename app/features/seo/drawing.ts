import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import { isSvg } from '#lib/brand/logo.ts';
import { bytesOf } from '#lib/brand/served-logo.ts';
import type { Route } from './+types/drawing';
import { notFound, orUnavailable, unavailable } from './answer.ts';
import { drawingIn, ico, iconIn } from './model/drawings.ts';

const ICONS: Record<string, number> = {
  'favicon.ico': 32,
  'apple-touch-icon.png': 180,
  'icon-192.png': 192,
  'icon-512.png': 512,
  'icon-maskable-512.png': 512,
};
/** With a margin that phones may cut off. */
const MASKABLE_BOX = '-7 -7 46 46';
const RETRY_SECONDS = 5;
const MARK_TYPE = { svg: 'image/svg+xml', png: 'image/png', ico: 'image/x-icon' };

export const handle: PageHandle = { knows: [] };

/** Icons and drawings, which have the colours and the logo of the brand. */
export const loader = ({ request, context }: Route.LoaderArgs) =>
  orUnavailable(async () => {
    const { settings, facts } = context.get(siteContext);
    const { colours, logo } = (await facts()).agency;
    const name = new URL(request.url).pathname.split('/').at(-1)!;
    const size = ICONS[name];
    const source = logo && `data:image/${isSvg(logo) ? 'svg+xml' : 'png'};base64,${bytesOf(logo).toString('base64')}`;
    if (!size) {
      const drawing = name === 'icon.svg' ? iconIn(colours, source) : drawingIn(name, colours);
      return drawing ? file(drawing, 'svg') : notFound();
    }
    const icon = iconIn(colours, source).replace('<svg ', `<svg width="${size}" height="${size}" `);
    const framed = name.includes('maskable') ? icon.replace('0 0 32 32', MASKABLE_BOX) : icon;
    const png = await settings.drawPng(Buffer.from(framed), size, size);
    if (!png) return unavailable(RETRY_SECONDS);
    return name.endsWith('.ico') ? file(ico(png, size), 'ico') : file(png, 'png');
  });

const file = (body: string | Uint8Array, type: keyof typeof MARK_TYPE) =>
  new Response(typeof body === 'string' ? body : new Uint8Array(body), {
    headers: {
      'content-type': MARK_TYPE[type],
      'cache-control': 'public, max-age=300, must-revalidate',
    },
  });
