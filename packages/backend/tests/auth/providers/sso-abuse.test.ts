import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cpuTimeOf } from '../../../../../tests/cpu-time.ts';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { sweep } from '../../../auth/index.ts';
import { readProject } from '../../../config/supabase-config.ts';
import { openAuthServer, WIDE } from '../auth-server.ts';
import { asOneBrowser } from '../one-browser.ts';
import { begin, encoded, introduce, newEmployee, postResponse, SAML_ON } from './saml/company.ts';
import { type IdentityProvider, startIdentityProvider } from './saml/identity-provider.ts';
import { wrappings } from './saml/wrapping.ts';

const VICTIM = 'chief@acme.example';
const NOT_VALID = 'SAML Assertion is not valid';

const server = forAllTests(() => openAuthServer(WIDE + SAML_ON));
const acme = forAllTests(() => startIdentityProvider('acme', newEmployee()));
const rival = forAllTests(() => startIdentityProvider('rival', newEmployee({ mail: VICTIM })));
type Options = Parameters<typeof acme.write>[0];
let acmeId: string;

const consumer = () => `${server.url}/sso/saml/acs`;

/** Starts a sign-in. @returns the relay state, and the values of a correct response */
async function begun() {
  const { relayState, requestId } = await begin(server, { provider_id: acmeId });
  const places = { audience: `${server.url}/sso/saml/metadata`, recipient: consumer(), destination: consumer() };
  return { relayState, requestId, right: { ...places, inResponseTo: requestId } };
}

/** Starts a sign-in. @param options changes the correct response @returns the form to post */
async function newForm(options: Options = {}) {
  const { relayState, right } = await begun();
  return { response: encoded(await acme.write({ ...right, ...options })), relayState };
}

const answer = async (options: Options = {}) => postResponse(server, await newForm(options));

/** Starts a sign-in, whose answer must be refused. @param options changes a correct response; `edit` after it was signed */
async function expectRefused(options: Options, edit = (xml: string) => xml, provider: IdentityProvider = acme) {
  const { relayState, right } = await begun();
  await refused(edit(await provider.write({ ...right, ...options })), relayState);
}

async function refused(xml: string, relayState: string, description = NOT_VALID) {
  const before = await sessions();
  const arrival = await postResponse(server, { response: encoded(xml), relayState });
  expect(arrival).toMatchObject({ status: 303, place: `${server.site}/` });
  expect(arrival.query.get('error_description')).toBe(description);
  expect(arrival.fragment.get('access_token')).toBeNull();
  expect(await sessions()).toBe(before);
}

const sessions = async () => (await server.rows('select from auth.sessions')).length;
const victims = () => server.rows('select from auth.users where email = $1', VICTIM);

describe('SAML response validation', () => {
  beforeAll(async () => {
    acmeId = await introduce(server, acme);
    await introduce(server, rival);
  });
  beforeEach(() => {
    acme.employee = newEmployee();
  });

  it('accepts a valid response of the provider', async () => {
    for (const variant of [{}, { signResponse: true }, { signatureNamespacePrefix: 'ds' }])
      expect((await answer(variant)).status).toBe(302);
    acme.employee = newEmployee({ groups: Array.from({ length: 400 }, (_, at) => `group ${at}`) });
    expect((await answer()).status).toBe(302);
  });

  it.each(Object.keys(wrappings))('rejects an assertion wrapped around a signed one: %s', async (name) => {
    for (const id of ['another', 'the same'] as const)
      await expectRefused({ signResponse: name.includes('response') }, (signed) =>
        wrappings[name]!(signed, { nameId: VICTIM, mail: VICTIM, id }),
      );
    expect(await victims()).toEqual([]);
  });

  it('rejects an assertion without a signature, alone or in a signed response', async () => {
    for (const signResponse of [false, true]) await expectRefused({ signAssertion: false, signResponse });
  });

  it('rejects a modified word in a signed assertion', () =>
    expectRefused({}, (xml) => xml.replace(`${acme.employee.nameId}</saml:NameID>`, `${VICTIM}</saml:NameID>`)));

  it('rejects a comment or a CDATA section inside a name', async () => {
    acme.employee.nameId = `${VICTIM}.evil.example`;
    for (const cut of ['<!-- -->', '<![CDATA[]]>', '<?cut?>'])
      await expectRefused({}, (xml) => xml.replaceAll(`${VICTIM}.evil`, `${VICTIM}${cut}.evil`));
  });

  it('rejects document types, entities and entity expansion attacks', async () => {
    const bomb = `<!DOCTYPE lol [<!ENTITY a "${'lol'.repeat(9)}"><!ENTITY b "${'&a;'.repeat(99)}"><!ENTITY c "${'&b;'.repeat(99)}">]>`;
    await expectRefused({}, (xml) => `${bomb}${xml.replace('</saml:NameID>', '&c;</saml:NameID>')}`);
    await expectRefused({}, (xml) => `<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd">]>${xml}`);
  });

  it('rejects signatures and digests made with SHA-1', async () => {
    for (const weak of [{ signatureAlgorithm: 'rsa-sha1' }, { digestAlgorithm: 'sha1' }] as const)
      await expectRefused(weak);
    // Encoded so that a text search does not find the algorithm.
    await expectRefused({ signatureAlgorithm: 'rsa-sha1' }, (xml) =>
      xml.replace('Algorithm="http://www.w3.org/2000/09', "Algorithm = 'http&#58;//www.w3.org/2000/09"),
    );
  });

  it('rejects a symmetric signature made with the public certificate', () =>
    expectRefused({}, (xml) =>
      xml.replace('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'),
    ));

  it('rejects assertions for another audience, recipient, destination or request, or for none', async () => {
    for (const wrong of [
      { audience: 'https://other.example/metadata' },
      { recipient: 'https://other.example/acs' },
      { destination: 'https://other.example/acs' },
      { inResponseTo: '_0123456789' },
      { audience: undefined },
      { recipient: undefined },
      // The response itself has an InResponseTo, or it would count as IdP-initiated.
      { inResponseTo: undefined },
    ])
      await expectRefused(wrong);
  });

  it('rejects an expired assertion', async () => {
    await expectRefused({ lifetimeInSeconds: -31 });
    expect((await answer({ lifetimeInSeconds: -5 })).status).toBe(302);
  });

  it('rejects another provider’s key, under its own name or under this one', async () => {
    for (const issuer of [rival.entityId, acme.entityId]) await expectRefused({ issuer }, undefined, rival);
    expect(await victims()).toEqual([]);
  });

  it('rejects an assertion of this provider that names another issuer', () =>
    expectRefused({ issuer: rival.entityId }));

  it('rejects a replay: of ten concurrent uses of one response, one is accepted', async () => {
    const form = await newForm();
    const arrivals = await Promise.all(Array.from({ length: 10 }, () => postResponse(server, form)));
    expect(arrivals.filter(({ status }) => status === 302)).toHaveLength(1);
    const codes = new Set(arrivals.filter(({ status }) => status === 303).map(({ query }) => query.get('error_code')));
    expect([...codes]).toEqual(['saml_relay_state_not_found']);
  });

  it('rejects a used assertion, even when its request is still pending', async () => {
    const { relayState, requestId, right } = await begun();
    const xml = await acme.write(right);
    expect((await postResponse(server, { response: encoded(xml), relayState })).status).toBe(302);
    const insert = `insert into auth.saml_relay_states (sso_provider_id, request_id, redirect_to, created_at)
      values ($1, $2, $3, now()) returning id`;
    const elsewhere = 'https://elsewhere.example/'; // whose cookies are not ours to ask for
    const reopened = async () => (await server.rows<{ id: string }>(insert, acmeId, requestId, elsewhere))[0]!.id;
    await refused(xml, await reopened());
    await server.db.query('delete from auth.saml_assertions');
    // Without the record of its use the assertion would be accepted.
    expect((await postResponse(server, { response: encoded(xml), relayState: await reopened() })).status).toBe(302);
  });

  it('rejects a response after five minutes, and one without a request', async () => {
    const { relayState, right } = await begun();
    const xml = await acme.write(right);
    const age = "update auth.saml_relay_states set created_at = now() - interval '301 seconds' where id = $1";
    await server.db.query(age, [relayState]);
    await refused(xml, relayState, 'SAML RelayState has expired, try logging in again');
    await refused(xml, randomUUID(), 'SAML RelayState does not exist, try logging in again');
  });

  it('rejects a response sent by another browser, to prevent login CSRF (C19)', async () => {
    for (const jar of [fetch, asOneBrowser]) {
      const form = await newForm();
      // The attacker’s own sign-in, completed in the victim's browser.
      const arrival = await postResponse(server, form, {}, jar);
      if (jar === asOneBrowser) expect(arrival).toMatchObject({ status: 302, fragment: expect.anything() });
      else {
        expect(arrival.query.get('error_code')).toBe('saml_relay_state_not_found');
        expect(arrival.fragment.has('access_token')).toBe(false);
        expect((await postResponse(server, form)).query.get('error_code')).toBe('saml_relay_state_not_found');
      }
    }
    const form = await newForm();
    // Requests our own URL before the response was posted, like a prefetch.
    const alone = `${consumer()}?flow=${form.relayState}`;
    expect((await fetch(alone, { method: 'HEAD', redirect: 'manual' })).status).toBe(405);
    expect((await postResponse(server, form)).fragment.has('access_token')).toBe(true);
    const answer = await asOneBrowser(alone, { redirect: 'manual' });
    expect(answer.headers.get('location')).toContain('saml_relay_state_not_found');
  });

  it('rejects a user without a persistent id or without an address', async () => {
    acme.employee.nameIdFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
    expect((await answer()).query.get('error_code')).toBe('saml_assertion_no_user_id');
    for (const mail of [undefined, 'not an address']) {
      acme.employee = newEmployee({ mail });
      expect((await answer()).query.get('error_code')).toBe('saml_assertion_no_email');
    }
  });

  it('redirects to no foreign page, whichever parameter requests it', async () => {
    for (const redirect_to of ['https://evil.example/', 'javascript:alert(1)']) {
      const { url } = await begin(server, { provider_id: acmeId, redirect_to });
      expect((await postResponse(server, await acme.visit(url))).place).toBe(`${server.site}/`);
    }
  });

  it('rejects an unsolicited response; it sends its own request and accepts its response', async () => {
    const { right } = await begun();
    acme.employee = newEmployee({ mail: VICTIM });
    const unsolicited = encoded(await acme.write({ ...right, inResponseTo: undefined }));
    for (const relayState of ['', 'https://evil.example/', `${server.site}/admin`]) {
      const body = new URLSearchParams({ SAMLResponse: unsolicited, RelayState: relayState });
      const response = await asOneBrowser(consumer(), { method: 'POST', redirect: 'manual', body });
      expect(response.status).toBe(303);
      const location = response.headers.get('location')!;
      expect(new URL(location).origin).toBe(new URL(acme.metadataUrl).origin);
      acme.employee = newEmployee();
      const arrival = await postResponse(server, await acme.visit(location));
      const wanted = relayState.startsWith(server.site) ? relayState : `${server.site}/`;
      expect(arrival).toMatchObject({ status: 302, place: wanted });
    }
    expect(await victims()).toEqual([]);
  });

  it('starts no new sign-in for an unknown provider, or one that answers another request', async () => {
    const { right } = await begun();
    const unknown = await acme.write({ ...right, inResponseTo: undefined, issuer: 'urn:unknown' });
    await refused(unknown, '', 'A SAML connection has not been established with this IdP');
    await refused(await acme.write(right), '', 'SAML RelayState does not exist, try logging in again');
  });

  it('rejects malformed forms', async () => {
    const FORM = 'application/x-www-form-urlencoded';
    for (const [type, body] of [
      ['application/json', JSON.stringify({ SAMLResponse: 'AAAA' })],
      [FORM, 'RelayState=x'],
      [FORM, 'SAMLResponse=AAAA&SAMLResponse=BBBB'],
      [FORM, 'SAMLResponse=%00%ff'],
      [FORM, `SAMLResponse=${encodeURIComponent(encoded('<a>'.repeat(20_000)))}`],
      [FORM, `SAMLResponse=${'A'.repeat(600_000)}`],
      [FORM, `SAMLResponse=AAAA&RelayState=${randomUUID()}`],
    ] as const) {
      const headers = { 'content-type': type };
      const response = await fetch(consumer(), { method: 'POST', redirect: 'manual', headers, body });
      expect(response.status).toBe(303);
      const location = new URL(response.headers.get('location')!);
      expect(location.origin).toBe(server.site);
      expect(location.searchParams.get('error')).toMatch(/invalid_request|access_denied/);
    }
  });

  it('rejects oversized bodies without reading them', async () => {
    const { right } = await begun();
    const signed = await acme.write({ ...right, inResponseTo: undefined });
    const inside = (content: string) => signed.replace('</saml:Assertion>', () => `${content}</saml:Assertion>`);
    const many = (count: number, part: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => part(at)).join('');
    const heavy = [
      inside(many(20_000, () => '<b/>')),
      inside(`${many(5_000, () => '<b>')}${many(5_000, () => '</b>')}`),
      inside(`<b ${many(10_000, (at) => ` a${at}=""`)}/>`),
      inside(`<b ${many(2_000, (at) => ` xmlns:a${at}=""`)}/>`),
      inside(`<b>${'x'.repeat(280_000)}</b>`),
    ];
    for (const xml of heavy) expect(await cpuTimeOf(() => refused(xml, ''))).toBeLessThan(500);
  });

  it('deletes expired requests and assertions', async () => {
    const { relayState } = await begun();
    await server.db.script(`update auth.saml_relay_states set created_at = now() - interval '2 days';
      update auth.saml_assertions set expires_at = now() - interval '2 days'`);
    await sweep(server.db, await readProject('supabase'));
    const all = 'select id::text from auth.saml_relay_states union all select assertion_id from auth.saml_assertions';
    expect(await server.rows(all)).toEqual([]);
    expect(relayState).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('rejects more responses from one address than the limit, with the reason in the address', async () => {
    // Limits counted by one server apply to every process of its database.
    await server.db.script('delete from internal.limits');
    await using narrow = await openAuthServer(`${SAML_ON}\n[auth.rate_limit]\nsign_in_sign_ups = 4`, { db: server.db });
    const codes = [];
    for (let at = 0; at < 3; at++)
      codes.push((await postResponse(narrow, { response: 'AAAA', relayState: randomUUID() })).query.get('error_code'));
    expect(codes).toEqual(['saml_relay_state_not_found', 'saml_relay_state_not_found', 'over_request_rate_limit']);
  });
});
