import { expect, it } from 'vitest';
import { draftsOfPage } from './content.ts';

it('drafts of a built-in page have the title that its content has', () =>
  expect(draftsOfPage('missing', { title: 'Lost' }, null)).toMatchObject({ title: 'Lost' }));
