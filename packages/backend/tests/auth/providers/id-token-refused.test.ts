import { createHash, randomUUID } from 'node:crypto';
import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { newEmail, openAuthServer } from '../auth-server.ts';
import { startIssuer } from './peers.ts';
import { provider, startPeers, withProviders } from './provider-sign-in.ts';

const peers = forAllTests(startPeers);
const acme = forAllTests(startIssuer);
const server = forAllTests(() => {
  const relaxed = provider('relaxed', peers.google.url, 'enabled = true\nskip_nonce_check = true');
  return openAuthServer(withProviders(peers) + relaxed + provider('gone', 'http://127.0.0.1:1'));
});

const verified = { aud: 'madhouse', email_verified: true };
const person = () => ({ ...verified, sub: randomUUID(), email: newEmail() });

/** Status and body of the response, in the OAuth error format when refused. */
const exchange = (json: object) => server.answer('/token?grant_type=id_token', { json });
const exchangeGoogle = (idToken: string, more: object = {}) =>
  exchange({ provider: 'google', id_token: idToken, ...more });
const OK = [200, expect.anything()];

const refusedWith = (words: string | RegExp) => [
  400,
  { error: 'invalid_request', error_description: typeof words === 'string' ? words : expect.stringMatching(words) },
];

describe('id token rejected with an OAuth error (AUTH-05)', () => {
  it.each([
    ['another issuer', { iss: 'https://evil.example' }, 'Unacceptable issuer in id_token'],
    ['another audience', { aud: 'evil' }, 'Unacceptable audience in id_token'],
    ['several audiences, none ours', { aud: ['evil', 'other'] }, 'Unacceptable audience in id_token'],
    ['no audience', { aud: undefined }, 'Unacceptable audience in id_token'],
    ['a time that is over', { exp: Math.floor(Date.now() / 1000) - 31 }, 'The id_token has expired'],
    ['no end', { exp: undefined }, /Bad ID token/],
    ['a beginning in the future', { nbf: Math.floor(Date.now() / 1000) + 300 }, /Bad ID token/],
    ['no subject', { sub: undefined }, /Bad ID token/],
    ['an unusable subject', { sub: 'a\u0000b' }, 'the user id is not usable'],
    ['an id that is no text', { sub: {} }, 'the user id is not usable'],
    ['an id without end', { sub: 'x'.repeat(256) }, 'the user id is not usable'],
  ])('has %s', async (_, claims, words) => {
    expect(await exchangeGoogle(await peers.google.sign({ ...person(), ...claims }))).toEqual(refusedWith(words));
  });

  it('was issued by another issuer for the same audience', async () => {
    expect(await exchangeGoogle(await acme.sign(person()))).toEqual(refusedWith(/Bad ID token|Unacceptable/));
    const forged = await acme.sign({ ...person(), iss: peers.google.url });
    expect(await exchangeGoogle(forged)).toEqual(refusedWith(/Bad ID token/));
  });

  it('is forged: unsigned, signed with the public key as a secret, with an embedded key, or modified', async () => {
    const published = peers.google.server.issuer.keys.toJSON()[0]!;
    const claims = { ...person(), iss: peers.google.url };
    const good = await peers.google.sign(claims);
    const own = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(own.publicKey)), alg: 'RS256', kid: published.kid };
    const pem = await exportSPKI((await importJWK(published, 'RS256', { extractable: true })) as CryptoKey);
    const issued = (header: Parameters<SignJWT['setProtectedHeader']>[0], key: CryptoKey | Uint8Array) =>
      new SignJWT(claims).setIssuedAt().setExpirationTime('1h').setProtectedHeader(header).sign(key);
    const secret = (text: string) => new TextEncoder().encode(text);
    const hs256 = { alg: 'HS256', kid: published.kid };
    const [head, payload, signature] = good.split('.');
    const victim = { ...decodeJwt(good), email: 'victim@example.com' };
    const promoted = Buffer.from(JSON.stringify(victim)).toString('base64url');
    const forged = [
      new UnsecuredJWT(claims).setIssuedAt().setExpirationTime('1h').encode(),
      await issued(hs256, secret(pem)),
      await issued(hs256, secret(JSON.stringify(published))),
      await issued({ alg: 'RS256', kid: jwk.kid }, own.privateKey),
      await issued({ alg: 'RS256', jwk }, own.privateKey),
      await issued({ alg: 'RS256', jku: 'https://evil.example/keys', kid: 'evil' }, own.privateKey),
      `${head}.${promoted}.${signature}`,
      `${head}.${payload}.`,
      `${head}.${payload}`,
      'nonsense',
      '..',
      server.keys.publishable,
    ];
    for (const idToken of forged) expect(await exchangeGoogle(idToken)).toEqual(refusedWith(/Bad ID token/));
    expect(await exchangeGoogle(good)).toEqual(OK);
  });

  it('has a nonce that the request lacks, or lacks the requested one', async () => {
    const nonce = randomUUID();
    const hashed = createHash('sha256').update(nonce).digest('hex');
    const both = 'Passed nonce and nonce in id_token should either both exist or not.';
    const [withNonce, without, plain] = await Promise.all([
      peers.google.sign({ ...person(), nonce: hashed }),
      peers.google.sign(person()),
      peers.google.sign({ ...person(), nonce }),
    ]);
    expect(await exchangeGoogle(withNonce)).toEqual(refusedWith(both));
    expect(await exchangeGoogle(without, { nonce })).toEqual(refusedWith(both));
    expect(await exchangeGoogle(withNonce, { nonce: randomUUID() })).toEqual(refusedWith('Nonces mismatch'));
    expect(await exchangeGoogle(plain, { nonce })).toEqual(refusedWith('Nonces mismatch'));
    expect(await exchangeGoogle(withNonce, { nonce })).toEqual(OK);
    expect(await exchange({ provider: 'relaxed', id_token: withNonce })).toEqual(OK);
  });

  it('comes with an access token of another user', async () => {
    const hash = createHash('sha256').update('mine').digest().subarray(0, 16).toString('base64url');
    const idToken = await peers.google.sign({ ...person(), at_hash: hash });
    const words = 'The access_token does not belong to this id_token';
    expect(await exchangeGoogle(idToken, { access_token: 'yours' })).toEqual(refusedWith(words));
    expect(await exchangeGoogle(idToken, { access_token: 'mine' })).toEqual(OK);
  });

  it('is missing, or of an unknown issuer', async () => {
    const idToken = await peers.google.sign(person());
    expect(await exchange({ provider: 'google' })).toEqual(refusedWith('id_token required'));
    const incomplete = refusedWith('provider or client_id and issuer required');
    for (const half of [{}, { client_id: 'madhouse' }, { issuer: peers.google.url }])
      expect(await exchange({ id_token: idToken, ...half })).toEqual(incomplete);
    const unknown = refusedWith(/Custom OIDC provider .* not allowed/);
    for (const provider of ['unheard', '__proto__', 'x'.repeat(5000)])
      expect(await exchange({ id_token: idToken, provider })).toEqual(unknown);
    const atGitHub = await exchange({ id_token: idToken, provider: 'github' });
    expect(atGitHub).toEqual(refusedWith('github issues no id tokens'));
  });

  it('is malformed: no request is sent to the issuer', async () => {
    // The issuer of this one is unreachable: a request to it would end in 503.
    const [, ...rest] = (await peers.google.sign(person())).split('.');
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const idToken of [
      ...['nonsense', '..', 'a.b.c', `${unsigned}.${rest[0]}.`],
      `${Buffer.from('{}').toString('base64url')}.${rest.join('.')}`,
    ])
      expect(await exchange({ provider: 'gone', id_token: idToken }), idToken).toEqual(refusedWith('Bad ID token'));
  });

  it('is reported to the official client without an error code', async () => {
    const { error } = await server.client().signInWithIdToken({ provider: 'google', token: 'nonsense' });
    expect(error).toMatchObject({ status: 400, code: undefined });
    expect(error!.message).toMatch(/Bad ID token/);
  });
});
