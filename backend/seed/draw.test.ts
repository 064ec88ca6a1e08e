import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawing, drawPicture } from './draw.ts';

const CATEGORIES = ['branding', 'video', 'ai', 'social', 'strategy', 'other'];

describe('drawn pictures', () => {
  it('are the same every time for the same seed', () => {
    const wish = { seed: 'images/1.png', title: 'Chai Stall', category: 'branding' };
    expect(drawing(wish)).toBe(drawing(wish));
    expect(drawing({ ...wish, seed: 'images/2.png' })).not.toBe(drawing(wish));
  });

  it.each(CATEGORIES)('differ from each other within %s', (category) => {
    const drawn = Array.from({ length: 12 }, (_, i) => drawing({ seed: `${i}`, title: 'One', category }));
    expect(new Set(drawn).size).toBe(12);
  });

  it('are covers of 4:3 when asked, in colour, without any text that needs a font', async () => {
    for (const category of [...CATEGORIES, 'toString']) {
      const wish = { seed: category, title: 'One', category, kind: 'cover' };
      const picture = sharp(await drawPicture(wish));
      expect(await picture.metadata()).toMatchObject({ format: 'png', width: 1600, height: 1200 });
      const { channels } = await picture.stats();
      expect(Math.min(...channels.slice(0, 3).map(({ stdev }) => stdev))).toBeGreaterThan(20);
      expect(drawing(wish)).not.toMatch(/<text|var-|NaN|undefined/);
    }
  });
});
