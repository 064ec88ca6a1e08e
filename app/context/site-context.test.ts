import { expect, it } from 'vitest';
import { builtInFacts } from '#features/settings/model/facts.ts';
import { type PublicDataCache, siteContextFor } from './site-context.ts';

/** A site whose backend answers with one setting; `ask` is what one request of it gets. */
function site() {
  const state = { generation: 0 as number | null, email: 'first@example.com', away: false, requests: 0 };
  const known: PublicDataCache = new Map();
  const settings = {
    origin: 'https://madhouse.example',
    supabase: { url: 'https://madhouse.example', publishableKey: 'key', own: true },
    generation: () => state.generation,
    fetch: async () => {
      state.requests++;
      if (state.away) throw new Error('unreachable');
      return Response.json([{ name: 'email', value: state.email }]);
    },
    drawCard: async () => null,
    drawPng: async () => null,
    onError: () => {},
    styleSheet: () => null,
    captcha: null,
    developmentSetupKey: null,
  };
  const ask = async () => {
    const { facts, trouble } = siteContextFor(settings, { address: '127.0.0.1', id: 'test' }, known);
    return { email: (await facts()).agency.email, incomplete: trouble.incomplete };
  };
  return { state, ask };
}

it('requests public data again only after shown data has changed', async () => {
  const { state, ask } = site();
  for (const _ of [1, 2]) expect((await ask()).email).toBe('first@example.com');
  expect(state.requests).toBe(1);
  Object.assign(state, { generation: 1, email: 'second@example.com' });
  for (const _ of [1, 2]) expect((await ask()).email).toBe('second@example.com');
  expect(state.requests).toBe(2);
});

it('requests public data for every page while change notifications are unavailable', async () => {
  const { state, ask } = site();
  state.generation = null;
  await ask();
  state.email = 'second@example.com';
  expect((await ask()).email).toBe('second@example.com');
});

it('serves the last data while the backend is unreachable, marks the page incomplete, and reads again after recovery', async () => {
  const { state, ask } = site();
  state.away = true;
  expect(await ask()).toEqual({ email: builtInFacts.agency.email, incomplete: true });
  state.away = false;
  expect(await ask()).toEqual({ email: 'first@example.com', incomplete: false });
  Object.assign(state, { generation: 1, away: true });
  expect(await ask()).toEqual({ email: 'first@example.com', incomplete: true });
  Object.assign(state, { away: false, email: 'second@example.com' });
  expect(await ask()).toEqual({ email: 'second@example.com', incomplete: false });
});
