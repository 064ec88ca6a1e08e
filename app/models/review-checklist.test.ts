import { expect, it } from 'vitest';
import { checklistOf } from './review-checklist.ts';

const picture = (title: string | null) => ({ type: 'image' as const, title });
const none = { rights_cleared: false, client_agreed: false };
const pictures = (...media: Parameters<typeof checklistOf>[0]['project_media']) =>
  checklistOf({ client: null, project_media: media }, none).find(({ id }) => id === 'pictures');

it('counts the pictures that do not say what they show; films need not', () => {
  expect(pictures(picture('A lamp'), { type: 'video', title: null })).toMatchObject({ done: true, byHand: false });
  expect(pictures(picture(null))).toMatchObject({ done: false, label: '1 picture does not say what it shows' });
  expect(pictures(picture(' '), picture(null))).toMatchObject({ label: '2 pictures do not say what they show' });
  expect(pictures()).toMatchObject({ done: true });
});

it('asks about the client that is named, or that none gives itself away', () => {
  const label = (client: string | null) =>
    checklistOf({ client, project_media: [] }, none).find(({ id }) => id === 'client')?.label;
  expect(label('Nova Foods')).toBe('Nova Foods agreed to be named');
  expect(label(' ')).toBe(label(null));
  expect(label(null)).toContain('confidential');
});

it('takes ticks for what nobody can compute', () => {
  const ticked = checklistOf({ client: null, project_media: [] }, { rights_cleared: true, client_agreed: false });
  expect(ticked.filter(({ byHand }) => byHand).map(({ id, done }) => [id, done])).toEqual([
    ['rights', true],
    ['client', false],
  ]);
});
