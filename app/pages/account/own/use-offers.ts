import { useEffect, useState } from 'react';
import { type AccountOffers, askOffers } from '../../../models/account/offers.ts';
import { clients } from '../../../session/browser.ts';

let asked: Promise<AccountOffers> | undefined;

export function useOffers(): AccountOffers | null {
  const [offers, setOffers] = useState<AccountOffers | null>(null);
  useEffect(() => {
    asked ??= askOffers(clients());
    void asked.then(setOffers);
  }, []);
  return offers;
}
