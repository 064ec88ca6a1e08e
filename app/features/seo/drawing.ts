import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import { type BrandColours, builtInColours, multiply } from '#lib/brand/colours.ts';
import { isSvg } from '#lib/brand/logo.ts';
import { bytesOf } from '#lib/brand/served-logo.ts';
import type { Route } from './+types/drawing';
import { notFound, orUnavailable, unavailable } from './answer.ts';

const ICONS: Record<string, number> = {
  'favicon.ico': 32,
  'apple-touch-icon.png': 180,
  'icon-192.png': 192,
  'icon-512.png': 512,
  'icon-maskable-512.png': 512,
};
/** With a margin that phones may cut off. */
const MASKABLE_BOX = '-7 -7 46 46';
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
    if (!png) return unavailable(5);
    return name.endsWith('.ico') ? file(ico(png, size), 'ico') : file(png, 'png');
  });

const file = (body: string | Uint8Array, type: keyof typeof MARK_TYPE) =>
  new Response(typeof body === 'string' ? body : new Uint8Array(body), {
    headers: { 'content-type': MARK_TYPE[type], 'cache-control': 'public, max-age=300, must-revalidate' },
  });

const files = import.meta.glob<string>('./drawings/*.svg', { query: '?raw', import: 'default', eager: true });

function drawingIn(name: string, colours: BrandColours): string | null {
  const file = files[`./drawings/${name}`];
  if (!file) return null;
  const { hand, machine } = builtInColours;
  const inks = new Map([[multiply(hand, machine), multiply(colours.hand, colours.machine)]]);
  for (const [ink, built] of Object.entries(builtInColours)) inks.set(built, colours[ink as keyof BrandColours]);
  return file.replace(/#[\da-f]{6}/g, (colour) => inks.get(colour) ?? colour);
}

/** The site's icon: the logo on paper, or the drawn mark. @param logo a data URL, or empty */
function iconIn(colours: BrandColours, logo: string): string {
  const icon = drawingIn('icon.svg', colours)!;
  return logo ? icon.replace(/<g[\s\S]*<\/g>/, `<image href="${logo}" x="3" y="3" width="26" height="26"/>`) : icon;
}

const ICO_HEADER_BYTES = 22;

/** A Windows icon file with one square PNG. @param size pixels, below 256 */
function ico(png: Uint8Array, size: number): Buffer {
  const header = Buffer.alloc(ICO_HEADER_BYTES);
  header.set([0, 0, 1, 0, 1, 0, size, size, 0, 0, 1, 0, 32, 0]);
  header.writeUInt32LE(png.byteLength, 14);
  header.writeUInt32LE(ICO_HEADER_BYTES, 18);
  return Buffer.concat([header, png]);
}
