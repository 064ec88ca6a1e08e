import { useEffect, useState } from 'react';
import { clients } from '#session/browser.ts';
import { type AccountOffers, askOffers } from '../model/offers.ts';

let asked: Promise<AccountOffers> | undefined;

export function useOffers(): AccountOffers | null {
  const [offers, setOffers] = useState<AccountOffers | null>(null);
  useEffect(() => {
    asked ??= askOffers(clients());
    void asked.then(setOffers);
  }, []);
  return offers;
}
