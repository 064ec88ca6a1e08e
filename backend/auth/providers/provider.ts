import type { ProviderTokens } from './flow-state.ts';
import type { IdTokenIssuer } from './id-token.ts';
import type { Profile } from './profile.ts';

/** Who somebody is, in the words of a provider that we have checked. */
export interface ProviderLogin {
  /** `google`, `github`, or the name of a configured issuer. */
  provider: string;
  profile: Profile;
  tokens: ProviderTokens;
}

/** What is kept on our side while somebody is away at a provider. */
export interface Secrets {
  /** PKCE towards the provider. */
  verifier: string;
  nonce: string;
}

/** Somebody else's login. Every method may fail with `errors.providerUnreachable` or `errors.badOauthCallback`. */
export interface Provider {
  name: string;
  /**
   * Where a browser is sent to sign in there; only `state` is still missing.
   * @param more what the client wants to have passed on, such as `prompt`
   */
  authorization(request: Secrets & { scopes: string[]; more: Record<string, string> }): Promise<URL>;
  /** @param answer the parameters that came to our callback, `state` among them */
  exchange(answer: URLSearchParams, expected: Secrets & { state: string }): Promise<ProviderLogin>;
  /** Checks id tokens that apps bring; null when the provider issues none. */
  idTokens: IdTokenIssuer | null;
}
