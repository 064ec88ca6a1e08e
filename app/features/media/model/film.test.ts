import { describe, expect, it } from 'vitest';
import { filmOf } from './film.ts';

const TUBE = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1';
const VIMEO = 'https://player.vimeo.com/video/76979871';

describe('video player address', () => {
  it.each([
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', TUBE],
    ['https://m.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ&list=PL1', TUBE],
    ['http://youtu.be/dQw4w9WgXcQ?si=abc', TUBE],
    ['https://www.youtube.com/shorts/dQw4w9WgXcQ', TUBE],
    ['https://www.youtube.com/live/dQw4w9WgXcQ', TUBE],
    ['https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0', TUBE],
    ['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ', TUBE],
    ['https://youtu.be/dQw4w9WgXcQ?t=90', `${TUBE}&start=90`],
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1h2m3s', `${TUBE}&start=3723`],
    ['https://www.youtube.com/embed/dQw4w9WgXcQ?start=42', `${TUBE}&start=42`],
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ#t=1m', `${TUBE}&start=60`],
    ['https://youtu.be/dQw4w9WgXcQ?t=soon', TUBE],
    ['https://vimeo.com/76979871', `${VIMEO}?autoplay=1`],
    ['https://vimeo.com/channels/staffpicks/76979871#t=1m5s', `${VIMEO}?autoplay=1#t=65s`],
    ['https://vimeo.com/76979871/8272103f6e', `${VIMEO}?autoplay=1&h=8272103f6e`],
    ['https://player.vimeo.com/video/76979871?h=8272103f6e', `${VIMEO}?autoplay=1&h=8272103f6e`],
  ])('uses the privacy-enhanced host for %s', (address, player) => expect(filmOf(address)?.player).toBe(player));

  it('names the host that a click contacts', () => {
    expect(filmOf('https://youtu.be/dQw4w9WgXcQ')?.host).toBe('youtube-nocookie.com');
  });

  it.each([
    'https://films.example/watch?v=dQw4w9WgXcQ',
    'https://youtube.com.films.example/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com/watch?v="><script>',
    'https://films.example/film.mp4',
    'javascript:alert(1)',
  ])('is null for %s', (address) => expect(filmOf(address)).toBeNull());
});
