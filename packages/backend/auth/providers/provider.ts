import type { ProviderTokens } from './flow-state.ts';
import type { IdTokenIssuer } from './id-token.ts';
import type { Profile } from './profile.ts';

export interface ProviderLogin {
  provider: string;
  profile: Profile;
  tokens: ProviderTokens;
}

export interface Secrets {
  verifier: string;
  nonce: string;
}

export interface Provider {
  name: string;
  authorization(request: Secrets & { scopes: string[]; more: Record<string, string> }): Promise<URL>;
  exchange(parameters: URLSearchParams, expected: Secrets & { state: string }): Promise<ProviderLogin>;
  idTokens: IdTokenIssuer | null;
}
