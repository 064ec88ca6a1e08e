import { createContext, useContext } from 'react';
import { builtInFacts, type Facts } from '#features/settings/model/facts.ts';

export const FactsContext = createContext<Facts>(builtInFacts);

export const useFacts = (): Facts => useContext(FactsContext);
