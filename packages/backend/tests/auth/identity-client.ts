import { randomUUID } from 'node:crypto';
import { GoTrueClient } from '@supabase/auth-js';

type Options = NonNullable<ConstructorParameters<typeof GoTrueClient>[0]>;

/** An official client with its own session, kept in memory. @param url address of the service, with its path */
export const identityClient = (url: string, key: string, { headers, ...options }: Options = {}) =>
  new GoTrueClient({
    url,
    storageKey: randomUUID(),
    headers: { apikey: key, Authorization: `Bearer ${key}`, ...headers },
    persistSession: false,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    ...options,
  });
