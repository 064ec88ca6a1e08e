import { describe, expect, it } from 'vitest';
import { pictureOf, renderedAddress } from './picture.ts';

const covers = { pictureHosts: [], defaultCover: '/house-cover.svg' };
const host = { origin: 'https://madhouse.example', own: true, ...covers };
const picture = (url: string, at = host) =>
  pictureOf({ url, width: 1600, height: 1200, placeholder: 'data:image/webp;base64,AAAA' }, at);
const STORED = '/storage/v1/object/public/case-studies/images/a.jpg';

describe('picture from our own storage', () => {
  it('has a root-relative address, so it survives a domain change, and the widths that the backend renders', () => {
    const id = 'f0000000-0000-4000-8000-000007000000';
    const [image, film] = [STORED.replace('a.jpg', `${id}.jpg`), `/storage/v1/object/public/films/${id}.mp4`];
    for (const origin of ['http://madhouse.example', 'https://old.example', 'http://127.0.0.1:3000'])
      for (const path of [image, film]) expect(picture(origin + path).src).toBe(path);
    expect(picture(`https://old.example${image}`).object).toBe(`case-studies/images/${id}.jpg`);
    const { object } = picture(`https://madhouse.example${STORED}`);
    expect(renderedAddress(object!, 640)).toBe('/storage/v1/render/image/public/case-studies/images/a.jpg?width=640');
  });

  it('renders an animation as its first frame and plays the original (D18)', () => {
    for (const ending of ['.gif', '.webp']) {
      const url = `https://madhouse.example${STORED.replace('.jpg', ending)}`;
      const media = { url, width: 20, height: 20, placeholder: null };
      const { object, src, moves } = pictureOf({ ...media, animated: true }, host);
      const still = `/storage/v1/render/image/public/case-studies/images/a${ending}?still=1&width=320`;
      expect([renderedAddress(object!, 320), src, moves]).toEqual([still, STORED.replace('.jpg', ending), true]);
      expect(pictureOf({ ...media, animated: false }, host).moves).toBe(false);
    }
  });

  it('finds its loops by its file id', () => {
    const id = 'f0000000-0000-4000-8000-000007000000';
    const url = `https://madhouse.example${STORED.replace('a.jpg', `${id}.png`)}`;
    const media = { url, width: 20, height: 20, placeholder: null, loops: ['webm', 'mp4'] };
    const loops = ['webm', 'mp4'].map((kind) => `/storage/v1/object/public/loops/${id}.${kind}`);
    expect(pictureOf(media, host).loops).toEqual(loops);
  });

  it('includes its AI label in the address of each variant, so cached copies change with the label', () => {
    const media = { url: `https://madhouse.example${STORED}`, width: 20, height: 20, placeholder: null };
    const { object, src } = pictureOf({ ...media, made: 'machine' }, host);
    const rendered = '/storage/v1/render/image/public/case-studies/images/a.jpg?made=machine&width=320';
    expect([renderedAddress(object!, 320), src]).toEqual([rendered, STORED]);
  });
});

it('leaves pictures of other hosts unchanged, also with a similar path', () => {
  for (const url of ['https://images.unsplash.com/photo', `https://other.example${STORED}`]) {
    expect(picture(url)).toMatchObject({ src: url, object: null });
  }
});

it('requests no widths from a hosted backend, and rejects loopback addresses', () => {
  const hosted = { origin: 'https://madhouse.example', own: false, ...covers };
  const src = `https://abc.supabase.co${STORED}`;
  expect(picture(src, hosted)).toMatchObject({ src, object: null });
  expect(picture(`http://127.0.0.1:3000${STORED}`, hosted).src).toBe(`http://127.0.0.1:3000${STORED}`);
});

it('accepts only an inline picture as its placeholder', () => {
  const media = { url: 'https://x.example/a.png', width: null, height: null };
  expect(pictureOf({ ...media, placeholder: 'data:image/png;base64,AA' }, host).placeholder).toContain('image/png');
  expect(pictureOf({ ...media, placeholder: 'https://x.example/spy.png' }, host).placeholder).toBeNull();
});
