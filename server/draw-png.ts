/** Draws an SVG or PNG as PNG inside a box, never enlarged. @returns null for a picture that cannot be read */
export async function drawPng(source: Uint8Array, width: number, height: number): Promise<Uint8Array | null> {
  const { default: sharp } = await import('sharp');
  try {
    return await sharp(source, { limitInputPixels: 40_000_000 })
      .resize({ width, height, fit: 'inside', withoutEnlargement: true })
      .png({ palette: true, effort: 8 })
      .timeout({ seconds: 5 })
      .toBuffer();
  } catch {
    return null;
  }
}
