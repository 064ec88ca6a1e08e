import { createContext, useContext } from 'react';
import { builtInFacts, type Facts } from '../models/settings/facts.ts';

/** Filled by the document with what is in force; the built-in facts stand where no document is. */
export const FactsContext = createContext<Facts>(builtInFacts);

/** What admins configure about the site: name, addresses, links, the masterclass. */
export const useFacts = (): Facts => useContext(FactsContext);
