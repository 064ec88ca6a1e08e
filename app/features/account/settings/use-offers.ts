import { useEffect, useState } from 'react';
import { clients } from '#session/browser.ts';
import { type AccountOffers, askOffers } from '../model/offers.ts';

let loadedOffers: Promise<AccountOffers> | undefined;

export function useOffers(): AccountOffers | null {
  const [offers, setOffers] = useState<AccountOffers | null>(null);
  useEffect(() => {
    loadedOffers ??= askOffers(clients());
    void loadedOffers.then(setOffers);
  }, []);
  return offers;
}
