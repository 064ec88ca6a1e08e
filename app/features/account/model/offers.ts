import { labelOf, type Provider, readSignInMethods } from './sign-in-methods.ts';

export interface AccountOffers {
  providers: Provider[];
  app: boolean;
  phone: boolean;
}

/**
 * Parses `GET /auth/v1/settings`. A hosted project does not report linking and factors: its defaults are offered, and a
 * disabled one is refused on use.
 */
export function readOffers(settings: unknown): AccountOffers {
  const answer = (settings ?? {}) as { manual_linking_enabled?: boolean; mfa?: { totp?: boolean; phone?: boolean } };
  return {
    providers: answer.manual_linking_enabled === false ? [] : readSignInMethods(settings).providers,
    app: answer.mfa?.totp !== false,
    phone: answer.mfa?.phone === true,
  };
}

export async function askOffers({ url, key }: { url: string; key: string }): Promise<AccountOffers> {
  const answer = await fetch(`${url}/auth/v1/settings`, { headers: { apikey: key } }).catch(() => null);
  return readOffers(answer?.ok ? await answer.json().catch(() => null) : null);
}

export const loginName = (provider: string): string =>
  provider.startsWith('sso:') ? 'Company sign-in' : labelOf(provider);
