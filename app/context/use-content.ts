import { createContext, useContext } from 'react';
import { type ContentOf, type Contents, contentOf, type PageFields, type PageSchema } from '#lib/fields/page-field.ts';
import { useFacts } from './use-facts.ts';

export const ContentContext = createContext<Contents>({});

export const useContent = <Fields extends PageFields>(page: PageSchema<string, Fields>): ContentOf<Fields> =>
  contentOf(page, useContext(ContentContext), useFacts().agency);
