import { type BrandColours, builtInColours, multiply } from '#lib/brand/colours.ts';

const files = import.meta.glob<string>('../drawings/*.svg', { query: '?raw', import: 'default', eager: true });

/** A drawing of the site in the brand's colours; null when there is none of this name. */
export function drawingIn(name: string, colours: BrandColours): string | null {
  const file = files[`../drawings/${name}`];
  if (!file) return null;
  const { hand, machine } = builtInColours;
  const inks: Record<string, string> = {
    [multiply(hand, machine)]: multiply(colours.hand, colours.machine),
    ...Object.fromEntries(
      Object.entries(builtInColours).map(([ink, built]) => [built, colours[ink as keyof BrandColours]]),
    ),
  };
  return file.replace(/#[\da-f]{6}/g, (colour) => inks[colour] ?? colour);
}

/** The site's icon: the logo on paper, or the drawn mark. @param logo a data URL, or empty */
export function iconIn(colours: BrandColours, logo: string): string {
  const icon = drawingIn('icon.svg', colours)!;
  return logo ? icon.replace(/<g[\s\S]*<\/g>/, `<image href="${logo}" x="3" y="3" width="26" height="26"/>`) : icon;
}

const ICO_HEADER_BYTES = 22;

/** A Windows icon file with one square PNG. @param size pixels, below 256 */
export function ico(png: Uint8Array, size: number): Buffer {
  const header = Buffer.alloc(ICO_HEADER_BYTES);
  header.set([0, 0, 1, 0, 1, 0, size, size, 0, 0, 1, 0, 32, 0]);
  header.writeUInt32LE(png.byteLength, 14);
  header.writeUInt32LE(ICO_HEADER_BYTES, 18);
  return Buffer.concat([header, png]);
}
