import { createHash, randomUUID } from 'node:crypto';
import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { openAuthServer } from '../auth-server.ts';
import { startIssuer } from './peers.ts';
import { provider, startPeers, withProviders } from './provider-sign-in.ts';

const peers = forAllTests(startPeers);
const acme = forAllTests(startIssuer);
const server = forAllTests(() => {
  const relaxed = provider('relaxed', peers.google.url, 'enabled = true\nskip_nonce_check = true');
  return openAuthServer(withProviders(peers) + relaxed + provider('gone', 'http://127.0.0.1:1'));
});

const sha256hex = (text: string) => createHash('sha256').update(text).digest('hex');

const verified = { aud: 'madhouse', email_verified: true };
const person = () => ({ ...verified, sub: randomUUID(), email: `${randomUUID()}@example.com` });

const exchange = (body: object) => server.call('/token?grant_type=id_token', { json: body });

/** Status and body of a refusal in the OAuth error format. */
async function refusal(body: object) {
  const response = await exchange(body);
  return [response.status, await response.json()];
}

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
    const idToken = await peers.google.sign({ ...person(), ...claims });
    expect(await refusal({ provider: 'google', id_token: idToken })).toEqual(refusedWith(words));
  });

  it('was issued by another issuer for the same audience', async () => {
    const foreign = await refusal({ provider: 'google', id_token: await acme.sign(person()) });
    expect(foreign).toEqual(refusedWith(/Bad ID token|Unacceptable/));
    const forged = await acme.sign({ ...person(), iss: peers.google.url });
    const posing = await refusal({ provider: 'google', id_token: forged });
    expect(posing).toEqual(refusedWith(/Bad ID token/));
  });

  it('is forged: unsigned, signed with the public key as a secret, with an embedded key, or modified', async () => {
    const published = peers.google.server.issuer.keys.toJSON()[0]!;
    const claims = { ...person(), iss: peers.google.url };
    const good = await peers.google.sign(claims);
    const own = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(own.publicKey)), alg: 'RS256', kid: published.kid };
    const pem = await exportSPKI((await importJWK(published, 'RS256', { extractable: true })) as CryptoKey);
    const issued = (token: SignJWT) => token.setIssuedAt().setExpirationTime('1h');
    const secret = (text: string) => new TextEncoder().encode(text);
    const hs256 = { alg: 'HS256', kid: published.kid };
    const [head, payload, signature] = good.split('.');
    const victim = { ...decodeJwt(good), email: 'victim@example.com' };
    const promoted = Buffer.from(JSON.stringify(victim)).toString('base64url');
    const forged = [
      new UnsecuredJWT(claims).setIssuedAt().setExpirationTime('1h').encode(),
      await issued(new SignJWT(claims)).setProtectedHeader(hs256).sign(secret(pem)),
      await issued(new SignJWT(claims))
        .setProtectedHeader(hs256)
        .sign(secret(JSON.stringify(published))),
      await issued(new SignJWT(claims)).setProtectedHeader({ alg: 'RS256', kid: jwk.kid }).sign(own.privateKey),
      await issued(new SignJWT(claims)).setProtectedHeader({ alg: 'RS256', jwk }).sign(own.privateKey),
      await issued(new SignJWT(claims))
        .setProtectedHeader({ alg: 'RS256', jku: 'https://evil.example/keys', kid: 'evil' })
        .sign(own.privateKey),
      `${head}.${promoted}.${signature}`,
      `${head}.${payload}.`,
      `${head}.${payload}`,
      'nonsense',
      '..',
      server.keys.publishable,
    ];
    for (const idToken of forged)
      expect(await refusal({ provider: 'google', id_token: idToken })).toEqual(refusedWith(/Bad ID token/));
    expect((await exchange({ provider: 'google', id_token: good })).status).toBe(200);
  });

  it('has a nonce that the request lacks, or lacks the requested one', async () => {
    const nonce = randomUUID();
    const both = 'Passed nonce and nonce in id_token should either both exist or not.';
    const [withNonce, without, plain] = await Promise.all([
      peers.google.sign({ ...person(), nonce: sha256hex(nonce) }),
      peers.google.sign(person()),
      peers.google.sign({ ...person(), nonce }),
    ]);
    const request = (idToken: string, nonceParam?: string) =>
      refusal({ provider: 'google', id_token: idToken, nonce: nonceParam });
    expect(await request(withNonce)).toEqual(refusedWith(both));
    expect(await request(without, nonce)).toEqual(refusedWith(both));
    expect(await request(withNonce, randomUUID())).toEqual(refusedWith('Nonces mismatch'));
    expect(await request(plain, nonce)).toEqual(refusedWith('Nonces mismatch'));
    expect((await exchange({ provider: 'google', id_token: withNonce, nonce })).status).toBe(200);
    expect((await exchange({ provider: 'relaxed', id_token: withNonce })).status).toBe(200);
  });

  it('comes with an access token of another user', async () => {
    const hash = createHash('sha256').update('mine').digest().subarray(0, 16).toString('base64url');
    const idToken = await peers.google.sign({ ...person(), at_hash: hash });
    const request = (token: string) => ({ provider: 'google', id_token: idToken, access_token: token });
    expect(await refusal(request('yours'))).toEqual(refusedWith('The access_token does not belong to this id_token'));
    expect((await exchange(request('mine'))).status).toBe(200);
  });

  it('is missing, or of an unknown issuer', async () => {
    const idToken = await peers.google.sign(person());
    expect(await refusal({ provider: 'google' })).toEqual(refusedWith('id_token required'));
    const incomplete = refusedWith('provider or client_id and issuer required');
    for (const half of [{}, { client_id: 'madhouse' }, { issuer: peers.google.url }])
      expect(await refusal({ id_token: idToken, ...half })).toEqual(incomplete);
    const unknown = refusedWith(/Custom OIDC provider .* not allowed/);
    for (const provider of ['unheard', '__proto__', 'x'.repeat(5000)])
      expect(await refusal({ id_token: idToken, provider })).toEqual(unknown);
    expect(await refusal({ id_token: idToken, provider: 'github' })).toEqual(refusedWith('github issues no id tokens'));
  });

  it('is malformed: no request is sent to the issuer', async () => {
    // The issuer of this one is unreachable: a request to it would end in 503.
    const [, ...rest] = (await peers.google.sign(person())).split('.');
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const idToken of [
      ...['nonsense', '..', 'a.b.c', `${unsigned}.${rest[0]}.`],
      `${Buffer.from('{}').toString('base64url')}.${rest.join('.')}`,
    ])
      expect(await refusal({ provider: 'gone', id_token: idToken }), idToken).toEqual(refusedWith('Bad ID token'));
  });

  it('is reported to the official client without an error code', async () => {
    const { error } = await server.client().signInWithIdToken({ provider: 'google', token: 'nonsense' });
    expect(error).toMatchObject({ status: 400, code: undefined });
    expect(error!.message).toMatch(/Bad ID token/);
  });
});
