import { createContext, useContext } from 'react';
import { builtInFacts, type Facts } from '#features/settings/model/facts.ts';
import { type ContentOf, type Contents, contentOf, type PageFields, type PageSchema } from '#lib/fields/page-field.ts';

export const FactsContext = createContext<Facts>(builtInFacts);

export const useFacts = (): Facts => useContext(FactsContext);

export const ContentContext = createContext<Contents>({});

export const useContent = <Fields extends PageFields>(page: PageSchema<string, Fields>): ContentOf<Fields> =>
  contentOf(page, useContext(ContentContext), useFacts().agency);
