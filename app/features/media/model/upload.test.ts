import { describe, expect, it } from 'vitest';
import { newId } from '#lib/data/ids.ts';
import { pathFor, pictureIn, queueOf, readableSize } from './upload.ts';

const bytes = (text: string) => new Blob([Uint8Array.from(text, (letter) => letter.charCodeAt(0))]);

describe('image format detection', () => {
  it.each([
    ['png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['jpg', '\xff\xd8\xff\xe0\0\x10JFIF'],
    ['gif', 'GIF89a\x01\0\x01\0'],
    ['webp', 'RIFF\x10\0\0\0WEBPVP8 '],
    ['avif', '\0\0\0 ftypavif\0\0\0\0'],
  ])('detects %s by its first bytes', async (extension, text) => {
    expect((await pictureIn(bytes(text)))?.extension).toBe(extension);
  });

  it.each(['<svg xmlns="http://www.w3.org/2000/svg">', '<!doctype html>', '%PDF-1.7', 'BM6\0\0\0', '', 'GIF8'])(
    'rejects %j as an image',
    async (text) => expect(await pictureIn(bytes(text))).toBeNull(),
  );
});

it('stores a file under a random name with the extension of its real format (ENT-36)', () => {
  const id = newId();
  expect(pathFor(id, { extension: 'jpg', contentType: 'image/jpeg' })).toBe(`images/${id}.jpg`);
});

it('formats file sizes', () => {
  expect(readableSize(10)).toBe('1 KB');
  expect(readableSize(65_536)).toBe('64 KB');
  expect(readableSize(12.34 * 1024 * 1024)).toBe('12.3 MB');
});

describe('upload queue', () => {
  it('runs two uploads at a time in order, and continues after a failure', async () => {
    const queue = queueOf(2);
    const order: string[] = [];
    let running = 0;
    let most = 0;
    const job = (name: string, fails = false) =>
      queue(async () => {
        most = Math.max(most, ++running);
        order.push(name);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        if (fails) throw new Error(name);
        return name;
      });
    const results = await Promise.allSettled([job('a'), job('b', true), job('c'), job('d')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(order).toEqual(['a', 'b', 'c', 'd']);
    expect(most).toBe(2);
  });
});
