import { expect, it } from 'vitest';
import { emptyUpload, isWholeMedia, moveItem } from './upload.ts';

it('accepts media with an http or https address and a title (UPLOAD-03)', () => {
  const whole = (url: string, title = 'Title') => isWholeMedia({ url, title });
  for (const url of ['https://a.example', ' http://a.example/x.png?y#z ', 'HTTPS://a.example/ü'])
    expect(whole(url), url).toBe(true);
  const wrong = ['', 'a.example', '//a.example', 'ftp://a.example', 'javascript:alert(1)', 'https://', 'https://a b'];
  for (const url of [...wrong, 'https://user:pass@a.example']) expect(whole(url), url).toBe(false);
  expect(whole('https://a.example', ' ')).toBe(false);
});

it('moves a media item by one place, and not past the ends', () => {
  const list = ['a', 'b', 'c'];
  expect(moveItem(list, 2, -1)).toEqual(['a', 'c', 'b']);
  expect(moveItem(list, 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moveItem(list, 0, -1)).toBe(list);
  expect(moveItem(list, 2, 1)).toBe(list);
});

it('sets the status to draft by default (CONST-23)', () => expect(emptyUpload().fields.status).toBe('draft'));
