import { describe, expect, it } from 'vitest';
import { altOf, captionOf, isFileName, titleFromFile } from './titles.ts';

describe('media titles', () => {
  it('are derived from file names', () => {
    const names = `cover.png, Neon Lamp final.JPEG, IMG_1234, IMG-20261104-WA0003, DSC01234, PXL_20261104_101112345, image (3),
      Screenshot 2026-11-04 at 10.11.12, WhatsApp Image 2026-11-04 at 10.11.12, harbour-at-dawn, logo_final_2,
      51b5e21d-00fa-4c1b-9d1e-aa0b1c2d3e4f, Untitled-1, untitled`;
    expect(names.split(/,\s+/).filter((name) => !isFileName(name))).toEqual([]);
    const titles = `A heron over the harbour, Before, Before and after, X-ray, Post-it, Covid-19, N95, Picture of a lamp,
      Image, 2026, A screenshot of the shop`;
    expect(['', ...titles.split(/,\s+/)].filter(isFileName)).toEqual([]);
  });

  it('derives the first title from the file name without its extension', () => {
    expect(titleFromFile('harbour-at-dawn.final.png')).toBe('harbour-at-dawn.final');
    expect(titleFromFile('Asha’s lamp.HEIC')).toBe('Asha’s lamp');
    expect(titleFromFile('.png')).toBeNull();
  });
});

it('never shows a file name as caption or description', () => {
  expect(captionOf({ title: 'IMG_1234.jpg', description: 'Silver on glass' })).toBe('Silver on glass');
  expect(captionOf({ title: 'A mirror', description: 'Silver on glass' })).toBe('A mirror. Silver on glass');
  expect(captionOf({ title: null, description: null })).toBe('');
  expect(altOf({ title: 'IMG_1234.jpg', alt: null }, 'Picture 2')).toBe('Picture 2');
});

it('names a picture by its alt text, else by its title, and a decorative one not at all', () => {
  const names = ['A heron', '', null].map((alt) => altOf({ title: 'Harbour', alt }, 'Picture 1'));
  expect(names).toEqual(['A heron', '', 'Harbour']);
});
