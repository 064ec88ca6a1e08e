import { expect, it } from 'vitest';
import { countedPage } from './page-views.ts';

it('counts an experiment by its id, and other pages by their path', () => {
  const id = 'e0000000-0000-4000-8000-000000000001';
  for (const path of [`/case-studies/${id}`, `/case-studies/${id}/`, `/case-studies/${id}/a-title`])
    expect(countedPage(path)).toBe(`/case-studies/${id}`);
  for (const path of ['/', '/case-studies', '/about', `/case-studies/${id}0`]) expect(countedPage(path)).toBe(path);
});
