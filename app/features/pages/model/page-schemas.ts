import { masterclassPage } from '#features/masterclass/words/content.ts';
import { contactPage } from '#features/messages/words/contact.ts';
import type { ContentOf, PageSchema } from '#lib/fields/page-field.ts';
import { aboutPage } from '../words/about.ts';
import { framePage } from '../words/frame.ts';
import { freePage } from '../words/free.ts';
import { homePage } from '../words/home.ts';
import { joinPage } from '../words/join.ts';
import { missingPage } from '../words/missing.ts';
import { portfolioPage } from '../words/portfolio.ts';

/** In the order of the list of pages. */
export const pageSchemas = {
  home: homePage,
  portfolio: portfolioPage,
  about: aboutPage,
  join: joinPage,
  masterclass: masterclassPage,
  contact: contactPage,
  frame: framePage,
  missing: missingPage,
  free: freePage,
} satisfies { [Kind in string]: Pick<PageSchema<Kind>, 'kind' | 'label' | 'fields'> };

export type PageKind = keyof typeof pageSchemas;
export type PageContent<Kind extends PageKind> = ContentOf<(typeof pageSchemas)[Kind]['fields']>;
