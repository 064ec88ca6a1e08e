import { type Keys, sameSecret, serviceKeyIn } from '../keys/keys.ts';
import { credentialsIn } from './caller.ts';
import { API_HEADERS } from './cors.ts';

const API_KEY = /^sb_(?:publishable|secret)_/;

/** 401 for an unregistered API key; else null. Same in all services, as from the gateway of a hosted project. */
export function refuseUnregisteredKey(headers: Headers, keys: Keys): Response | null {
  const isUnregistered = credentialsIn(headers).some(
    (key) => API_KEY.test(key) && !sameSecret(key, keys.publishable) && serviceKeyIn(keys, key) === null,
  );
  if (!isUnregistered) return null;
  const hint = 'Double check your Supabase `anon` or `service_role` API key.';
  const options = { status: 401, headers: { ...API_HEADERS, 'access-control-allow-origin': '*' } };
  return Response.json({ message: 'Invalid API key', hint }, options);
}
