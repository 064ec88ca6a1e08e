import { createContext, useContext } from 'react';
import { builtInFacts, type Facts } from '../models/settings/facts.ts';

export const FactsContext = createContext<Facts>(builtInFacts);

export const useFacts = (): Facts => useContext(FactsContext);
