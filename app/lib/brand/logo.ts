export const MAX_LOGO_FILE_BYTES = 700 * 1024;
export const MAX_LOGO_LENGTH = 150_000;
export const LOGO_TOO_LARGE = 'This logo is too large. Make the file smaller, or simplify its shapes.';

const PNG = 'data:image/png;base64,';

export const isSvg = (logo: string) => /^<svg[\s>]/.test(logo);
export const isLogo = (logo: string) =>
  logo.length <= MAX_LOGO_LENGTH && (isSvg(logo) || logo.startsWith(`${PNG}iVBORw0KGgo`));
export const pngLogo = (base64: string) => PNG + base64;
export const logoKind = (logo: string) => (isSvg(logo) ? 'SVG' : 'PNG');

export const logoSource = (logo: string) => (isSvg(logo) ? `data:image/svg+xml,${encodeURIComponent(logo)}` : logo);

export function sizeIn(address: string): { width: number; height: number } | null {
  const [, width, height] = /-(\d+)x(\d+)-/.exec(address) ?? [];
  return width && height ? { width: Number(width), height: Number(height) } : null;
}
