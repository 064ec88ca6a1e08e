import { labelOf, type Provider, readSignInMethods } from './sign-in-methods.ts';

/** What somebody may add to their account, as far as the service tells. */
export interface AccountOffers {
  /** Other companies' logins that can be connected. */
  providers: Provider[];
  /** Second factors. */
  app: boolean;
  phone: boolean;
}

/**
 * Reads the answer of `GET /auth/v1/settings`. A hosted project does not tell about linking and factors: there, what it
 * has by default is offered, and what is switched off says so when it is asked for.
 */
export function readOffers(settings: unknown): AccountOffers {
  const told = (settings ?? {}) as { manual_linking_enabled?: boolean; mfa?: { totp?: boolean; phone?: boolean } };
  return {
    providers: told.manual_linking_enabled === false ? [] : readSignInMethods(settings).providers,
    app: told.mfa?.totp !== false,
    phone: told.mfa?.phone === true,
  };
}

/** Asks the service; while it gives no answer, only what every installation has is offered. */
export async function askOffers({ url, key }: { url: string; key: string }): Promise<AccountOffers> {
  const answer = await fetch(`${url}/auth/v1/settings`, { headers: { apikey: key } }).catch(() => null);
  return readOffers(answer?.ok ? await answer.json().catch(() => null) : null);
}

/** What a connected login is called. A company's own is named by its number in our books, which tells nobody anything. */
export const loginName = (provider: string): string =>
  provider.startsWith('sso:') ? 'Company sign-in' : labelOf(provider);
