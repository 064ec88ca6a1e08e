import { PostgrestClient } from '@supabase/postgrest-js';
import { createContext } from 'react-router';
import type { Facts } from '../models/facts.ts';
import type { PictureHost } from '../models/picture.ts';
import { findFacts } from '../models/settings.ts';
import type { SocialCard } from '../models/social-card.ts';

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
  /**
   * Draws a social image, or finds the one of that version; null when too many wait for theirs.
   * @param cover bytes of the cover, loaded only when something is drawn
   */
  drawCard: (card: SocialCard, version: string, cover: () => Promise<Uint8Array | null>) => Promise<Uint8Array | null>;
  /** Only under `npm run dev` and MADHOUSE_DEV: the key that /admin-setup shows prefilled. */
  developmentSetupKey: string | null;
}

/** What loaders get: settings, the visitor, and the data client of an anonymous reader. */
export interface SiteContext {
  settings: SiteSettings;
  visitor: Visitor;
  /** @param draftSecret proves "this guest draft is mine" to the policies */
  data: (draftSecret?: string) => PostgrestClient;
  /** What admins configure; asked for once in a request. @throws ApiError */
  facts: () => Promise<Facts>;
  pictureHost: () => Promise<PictureHost>;
}

/** Set for each request by `site.ts`; shared state between renders is forbidden (threat model TM-44). */
export const siteContext = createContext<SiteContext>();

export function siteContextFor(settings: SiteSettings, visitor: Visitor): SiteContext {
  const { url, publishableKey, own } = settings.supabase;
  const data: SiteContext['data'] = (draftSecret) =>
    new PostgrestClient(`${url}/rest/v1`, {
      headers: { apikey: publishableKey, ...(draftSecret ? { 'x-draft-secret': draftSecret } : {}) },
      fetch: (input, init) => settings.fetch(new Request(input, init), visitor),
    });
  let asked: Promise<Facts> | undefined;
  const facts = () => {
    asked ??= findFacts(data());
    return asked;
  };
  return {
    settings,
    visitor,
    data,
    facts,
    async pictureHost() {
      const { pictureHosts, defaultCover } = (await facts()).agency;
      return { url, origin: settings.origin, own, pictureHosts, defaultCover };
    },
  };
}
