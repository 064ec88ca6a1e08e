import { PostgrestClient } from '@supabase/postgrest-js';
import { createContext } from 'react-router';
import { defaultMethods, readSignInMethods, type SignInMethods } from '../models/account/sign-in-methods.ts';
import type { PictureHost } from '../models/media/picture.ts';
import type { SocialCard } from '../models/seo/social-card.ts';
import { builtInFacts, type Facts } from '../models/settings/facts.ts';
import { listLegalTexts, type WrittenTexts } from '../models/settings/legal-page.ts';
import { findFacts } from '../models/settings/settings.ts';
import { Trouble } from './trouble.ts';

/** Who asks, as the front door saw it. */
export interface RequestContext {
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
  /** Another number after each change of what is shown; null while nothing would be heard of one. */
  generation: () => number | null;
  /** Asks the backend for a visitor: in process for our own, over the network for a hosted one. */
  fetch: (request: Request, visitor: RequestContext) => Promise<Response>;
  /**
   * Draws a social image, or finds the one of that version; null when too many wait for theirs.
   * @param cover bytes of the cover, loaded only when something is drawn
   */
  drawCard: (card: SocialCard, version: string, cover: () => Promise<Uint8Array | null>) => Promise<Uint8Array | null>;
  /** Told of a page that could not be made, for the log. */
  onError: (error: unknown, path: string) => void;
  /** The text of a built style sheet by its address, `/assets/…`; null for one that is not known, as while developing. */
  styleSheet: (address: string) => string | null;
  /** Whose check for humans stands before signing in; null for none. */
  captcha: { provider: 'turnstile' | 'hcaptcha'; siteKey: string } | null;
  /** Only under `npm run dev` and MADHOUSE_DEV: the key that /admin-setup shows prefilled. */
  developmentSetupKey: string | null;
}

type KnownName = 'facts' | 'legal texts' | 'counts' | 'results';

/**
 * What everybody may read and this process has read last, by name: until something shown changes it is as good as read
 * anew, and while the backend is away it is truer than what is built in. Nothing of a visitor's belongs here (threat
 * model TM-44).
 */
export type Known = Map<KnownName, { generation: number | null; value: unknown }>;

/** What loaders get: settings, the visitor, and the data client of an anonymous reader. */
export interface SiteContext {
  settings: SiteSettings;
  visitor: RequestContext;
  /**
   * @param draftSecret proves "this guest draft is mine" to the policies
   * @param token of a session that a browser sent along to keep such a draft in its account
   */
  data: (draftSecret?: string, token?: string) => PostgrestClient;
  /** What everybody may read, asked for again only after something shown has changed. @throws what `ask` throws */
  shared: <T>(name: KnownName, ask: (everybody: PostgrestClient) => Promise<T>) => Promise<T>;
  /** What admins configure. While it cannot be read: as it was read last, else built in. */
  facts: () => Promise<Facts>;
  /** The legal texts that admins have written; as they were read last while they cannot be read, null when they never were. */
  legalTexts: () => Promise<WrittenTexts | null>;
  pictureHost: () => Promise<PictureHost>;
  /** What sign-in forms may offer; the plain ways while the identity service does not say. */
  signInWays: () => Promise<SignInMethods>;
  /** What the backend refused during this request. */
  trouble: Trouble;
}

const SETTINGS_MS = 3_000;
/** When to come back to a backend that cannot be reached. */
const AWAY_SECONDS = 5;

/** Set for each request by `site.ts`; shared state between renders is forbidden (threat model TM-44). */
export const siteContext = createContext<SiteContext>();

export function siteContextFor(settings: SiteSettings, visitor: RequestContext, known: Known): SiteContext {
  const { url, publishableKey, own } = settings.supabase;
  const trouble = new Trouble();
  const ask = async (request: Request): Promise<Response> => {
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
      fetch: (input, init) => ask(new Request(input, init)),
      // Somebody waits for the page: he is told to try again, rather than kept waiting while we do.
      retry: false,
    });
  const shared: SiteContext['shared'] = async (name, ask) => {
    const generation = settings.generation();
    const last = known.get(name);
    if (last && generation !== null && last.generation === generation) return last.value as never;
    const value = await ask(data());
    known.set(name, { generation, value });
    return value;
  };
  /** As it was read last, when it cannot be read now. */
  const sharedOrLast = <T, Otherwise>(
    name: KnownName,
    ask: (everybody: PostgrestClient) => Promise<T>,
    otherwise: Otherwise,
  ) =>
    shared(name, ask).catch(() => {
      trouble.incomplete = true;
      const last = known.get(name);
      return last ? (last.value as T) : otherwise;
    });
  let asked: Promise<Facts> | undefined;
  const facts = () => {
    asked ??= sharedOrLast('facts', findFacts, builtInFacts);
    return asked;
  };
  return {
    settings,
    visitor,
    data,
    facts,
    trouble,
    legalTexts: () => sharedOrLast('legal texts', listLegalTexts, null),
    shared,
    async pictureHost() {
      const { pictureHosts, defaultCover } = (await facts()).agency;
      return { url, origin: settings.origin, own, pictureHosts, defaultCover };
    },
    async signInWays() {
      const asked = new Request(`${url}/auth/v1/settings`, {
        headers: { apikey: publishableKey },
        signal: AbortSignal.timeout(SETTINGS_MS),
      });
      const answer = await ask(asked).catch(() => null);
      return answer?.ok ? answer.json().then(readSignInMethods, () => defaultMethods) : defaultMethods;
    },
  };
}
