import { PostgrestClient } from '@supabase/postgrest-js';
import { createContext } from 'react-router';

/** Who asks, as the front door saw it. */
export interface Visitor {
  address: string;
  /** Request id, for the log. */
  id: string;
}

/** What the site is told at start. It knows its backend only by address, key and `fetch`. */
export interface SiteSettings {
  /** Canonical origin without trailing slash. */
  origin: string;
  supabase: {
    /** Base address as browsers see it, without trailing slash. */
    url: string;
    publishableKey: string;
    /** True when our own backend answers: it renders picture widths; hosted projects may not. */
    own: boolean;
  };
  /** Asks the backend for a visitor: in process for our own, over the network for a hosted one. */
  fetch: (request: Request, visitor: Visitor) => Promise<Response>;
  /** Only under `npm run dev` and MADHOUSE_DEV: the key that /admin-setup shows prefilled. */
  developmentSetupKey: string | null;
}

/** What loaders get: settings, the visitor, and the data client of an anonymous reader. */
export interface SiteContext {
  settings: SiteSettings;
  visitor: Visitor;
  /** @param draftSecret proves "this guest draft is mine" to the policies */
  data: (draftSecret?: string) => PostgrestClient;
}

/** Set for each request by `site.ts`; shared state between renders is forbidden (threat model TM-44). */
export const siteContext = createContext<SiteContext>();

export function siteContextFor(settings: SiteSettings, visitor: Visitor): SiteContext {
  const { url, publishableKey } = settings.supabase;
  return {
    settings,
    visitor,
    data: (draftSecret) =>
      new PostgrestClient(`${url}/rest/v1`, {
        headers: { apikey: publishableKey, ...(draftSecret ? { 'x-draft-secret': draftSecret } : {}) },
        fetch: (input, init) => settings.fetch(new Request(input, init), visitor),
      }),
  };
}
