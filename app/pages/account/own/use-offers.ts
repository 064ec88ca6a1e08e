import { useEffect, useState } from 'react';
import { type AccountOffers, askOffers } from '../../../models/account/offers.ts';
import { clients } from '../../../session/browser.ts';

let asked: Promise<AccountOffers> | undefined;

/** What can be added to an account; null until the service has said so, once per document. */
export function useOffers(): AccountOffers | null {
  const [offers, setOffers] = useState<AccountOffers | null>(null);
  useEffect(() => {
    asked ??= askOffers(clients());
    void asked.then(setOffers);
  }, []);
  return offers;
}
