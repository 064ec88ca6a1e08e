import { PostgrestClient } from '@supabase/postgrest-js';
import { createContext } from 'react-router';
import { defaultMethods, readSignInMethods, type SignInMethods } from '#features/account/model/sign-in-methods.ts';
import type { PictureHost } from '#features/media/model/picture.ts';
import { builtInPages, contentAt, type LivePages, listLivePages } from '#features/pages/model/live-pages.ts';
import type { SocialCard } from '#features/seo/model/social-card.ts';
import { builtInFacts, type Facts } from '#features/settings/model/facts.ts';
import { listLegalTexts, type WrittenTexts } from '#features/settings/model/legal-page.ts';
import { findFacts } from '#features/settings/model/settings.ts';
import { Trouble } from './trouble.ts';

export type RequestContext = { address: string; id: string };

/** Passed to the site at startup; the site knows the backend only by address, key and `fetch`. */
export interface SiteSettings {
  origin: string;
  supabase: {
    url: string;
    publishableKey: string;
    /** Whether it is our own backend, which renders image widths; hosted projects may not. */
    own: boolean;
  };
  /** Number that increases with each change of public content; null while change notifications are unavailable. */
  generation: () => number | null;
  /** Requests on behalf of a visitor: in process for our own backend, over the network for a hosted one. */
  fetch: (request: Request, visitor: RequestContext) => Promise<Response>;
  /** Returns a cached or new social image; null when the queue is full. @param cover loaded only for a new image */
  drawCard: (card: SocialCard, version: string, cover: () => Promise<Uint8Array | null>) => Promise<Uint8Array | null>;
  drawPng: (source: Uint8Array, width: number, height: number) => Promise<Uint8Array | null>;
  onError: (error: unknown, path: string) => void;
  styleSheet: (address: string) => string | null;
  captcha: { provider: 'turnstile' | 'hcaptcha'; siteKey: string } | null;
  /** Only under `npm run dev` and MADHOUSE_DEV: the key that /admin-setup prefills. */
  developmentSetupKey: string | null;
}

type KnownName = 'facts' | 'pages' | 'legal texts' | 'counts' | 'results' | 'clients';

/**
 * Last public data of this process, by name: valid until the content changes, and a fallback while the backend is
 * unreachable. Must not contain visitor data (threat model TM-44).
 */
export type PublicDataCache = Map<KnownName, { generation: number | null; value: unknown }>;

type PublicRead<T> = (everybody: PostgrestClient) => Promise<T>;

export interface SiteContext {
  settings: SiteSettings;
  visitor: RequestContext;
  data: (draftSecret?: string, token?: string) => PostgrestClient;
  /** Cached public data, read again after the content has changed. @throws the error of the request */
  shared: <T>(name: KnownName, ask: PublicRead<T>) => Promise<T>;
  facts: () => Promise<Facts>;
  pages: () => Promise<LivePages>;
  contentAt: (path: string) => Promise<LivePages['contents']>;
  /** Returns the last value, else null, while the data cannot be read. */
  legalTexts: () => Promise<WrittenTexts | null>;
  pictureHost: () => Promise<PictureHost>;
  signInWays: () => Promise<SignInMethods>;
  trouble: Trouble;
}

const SETTINGS_MS = 3_000;
const AWAY_SECONDS = 5;

/** Set for each request by `site.ts`; shared state between renders is forbidden (threat model TM-44). */
export const siteContext = createContext<SiteContext>();

export function siteContextFor(
  settings: SiteSettings,
  visitor: RequestContext,
  known: PublicDataCache,
  isRoute: (path: string) => boolean = () => true,
): SiteContext {
  const { url, publishableKey, own } = settings.supabase;
  const trouble = new Trouble();
  const send = async (request: Request): Promise<Response> => {
    try {
      const answer = await settings.fetch(request, visitor);
      trouble.note(answer);
      return answer;
    } catch (error) {
      trouble.refuse(503, AWAY_SECONDS);
      throw error;
    }
  };
  const data: SiteContext['data'] = (draftSecret, token) =>
    new PostgrestClient(`${url}/rest/v1`, {
      headers: {
        apikey: publishableKey,
        ...(draftSecret ? { 'x-draft-secret': draftSecret } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      fetch: (input, init) => send(new Request(input, init)),
      // No retries: a visitor is waiting for the page.
      retry: false,
    });
  const shared: SiteContext['shared'] = async (name, ask) => {
    const generation = settings.generation();
    const cached = known.get(name);
    if (cached && generation !== null && cached.generation === generation) return cached.value as never;
    const value = await ask(data());
    known.set(name, { generation, value });
    return value;
  };
  const sharedOrLast = <T, Otherwise>(name: KnownName, ask: PublicRead<T>, otherwise: Otherwise) =>
    shared(name, ask).catch(() => {
      trouble.incomplete = true;
      const cached = known.get(name);
      return cached ? (cached.value as T) : otherwise;
    });
  let loadedFacts: Promise<Facts> | undefined;
  const facts = () => (loadedFacts ??= sharedOrLast('facts', findFacts, builtInFacts));
  let loadedPages: Promise<LivePages> | undefined;
  const pages = () => (loadedPages ??= sharedOrLast('pages', listLivePages, builtInPages));
  return {
    settings,
    visitor,
    data,
    facts,
    pages,
    contentAt: async (path) => contentAt(path, await pages(), isRoute),
    trouble,
    legalTexts: () => sharedOrLast('legal texts', listLegalTexts, null),
    shared,
    async pictureHost() {
      const { pictureHosts, defaultCover } = (await facts()).agency;
      return { origin: settings.origin, own, pictureHosts, defaultCover };
    },
    async signInWays() {
      const signal = AbortSignal.timeout(SETTINGS_MS);
      const request = new Request(`${url}/auth/v1/settings`, { headers: { apikey: publishableKey }, signal });
      const answer = await send(request).catch(() => null);
      return answer?.ok ? answer.json().then(readSignInMethods, () => defaultMethods) : defaultMethods;
    },
  };
}
