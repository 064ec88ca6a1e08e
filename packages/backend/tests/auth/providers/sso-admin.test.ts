import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { startHttpServer } from '../../../../../tests/programs/http-server.ts';
import { refreshMetadata } from '../../../auth/sso/sso-provider.ts';
import { createLog } from '../../../http/log.ts';
import { bearer, openAuthServer, signedUp, WIDE } from '../auth-server.ts';
import { admin, introduce, newEmployee, SAML_ON } from './saml/company.ts';
import { startIdentityProvider } from './saml/identity-provider.ts';

const server = forAllTests(() => openAuthServer(WIDE + SAML_ON));
const acme = forAllTests(() => startIdentityProvider('acme', newEmployee()));
const rival = forAllTests(() => startIdentityProvider('rival', newEmployee()));
const odd = forAllTests(() =>
  startHttpServer((req, res) => {
    if (req.url === '/moved') res.writeHead(302, { location: acme.metadataUrl }).end();
    else if (req.url === '/endless') res.end('x'.repeat(600_000));
    else if (req.url === '/rotated') res.end(rotated);
    else res.writeHead(500).end();
  }),
);
let rotated: string;

const create = (fields: object) => admin(server, 'POST', '', { type: 'saml', ...fields });
const refusal = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code];

describe('administration of SAML providers', () => {
  afterEach(() => server.db.script('delete from auth.sso_providers'));

  it('creates, shows, lists, changes and deletes providers', async () => {
    const made = await create({ metadata_xml: acme.metadata, domains: ['Acme.example'] });
    expect(made.status).toBe(201);
    const saml = { entity_id: acme.entityId, metadata_xml: acme.metadata };
    expect(made.body).toMatchObject({ saml, domains: [{ domain: 'acme.example' }] });
    const path = `/${made.body.id}`;
    expect((await admin(server, 'GET', path)).body).toEqual(made.body);
    const { body: list } = await admin(server, 'GET');
    expect(list.items).toMatchObject([{ id: made.body.id, saml: { entity_id: acme.entityId } }]);
    expect(list.items[0].saml.metadata_xml).toBeUndefined();
    const name_id_format = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
    const mapping = { attribute_mapping: { keys: { name: { name: 'cn' } } }, name_id_format };
    const changed = await admin(server, 'PUT', path, { domains: ['acme.test'], disabled: true, ...mapping });
    const mapped = { ...mapping, entity_id: acme.entityId };
    expect(changed.body).toMatchObject({ disabled: true, domains: [{ domain: 'acme.test' }], saml: mapped });
    expect((await admin(server, 'PUT', path, {})).body).toEqual({ ...changed.body, updated_at: expect.any(String) });
    expect((await admin(server, 'DELETE', path)).status).toBe(200);
    expect(refusal(await admin(server, 'GET', path))).toEqual([404, 'sso_provider_not_found']);
  });

  it('requires the service key', async () => {
    const { session } = await signedUp(server);
    const id = randomUUID();
    for (const endpoint of ['GET', 'POST', `GET /${id}`, `PUT /${id}`, `DELETE /${id}`])
      for (const headers of [{}, bearer(session.access_token)]) {
        const [method, path = ''] = endpoint.split(' ');
        expect(await server.refusal(`/admin/sso/providers${path}`, { method, headers })).toEqual([403, 'not_admin']);
      }
  });

  it('fetches metadata from the given address', async () => {
    const made = await create({ metadata_url: acme.metadataUrl });
    expect(made.body.saml).toMatchObject({ entity_id: acme.entityId, metadata_url: acme.metadataUrl });
    const pinned = await admin(server, 'PUT', `/${made.body.id}`, { metadata_xml: acme.metadata });
    expect(pinned.body.saml.metadata_url).toBeUndefined();
  });

  it('refreshes metadata from its address, unless it describes another provider or cannot be fetched', async () => {
    const stored = async () => (await admin(server, 'GET', `/${made.body.id}`)).body.saml.metadata_xml;
    rotated = acme.metadata;
    const made = await create({ metadata_url: `${odd.url}/rotated` });
    const [newCertificate] = /<X509Certificate>[^<]*/.exec(rival.metadata)!;
    const renewed = acme.metadata.replaceAll(/<X509Certificate>[^<]*/g, newCertificate);
    for (rotated of [renewed, rival.metadata, '']) {
      await refreshMetadata(server.db, createLog('fatal'));
      expect(await stored()).toBe(renewed);
    }
  });

  it('fetches only from https or this machine, follows no redirect, and limits the size', async () => {
    const outside = 'http://acme.example/metadata file:///etc/passwd ftp://acme.example https://a:b@acme.example';
    for (const metadata_url of outside.split(' '))
      expect(refusal(await create({ metadata_url }))).toEqual([400, 'validation_failed']);
    for (const path of ['/moved', '/endless', '/broken'])
      expect(refusal(await create({ metadata_url: odd.url + path }))).toEqual([400, 'saml_metadata_fetch_failed']);
  });

  it('rejects metadata without the required security properties', async () => {
    const wrong: Record<string, string> = {
      'no XML': 'hello',
      'half XML': acme.metadata.slice(0, 500),
      'a document type': `<!DOCTYPE x [<!ENTITY e "e">]>${acme.metadata.replace(/<\?xml[^>]*>/, '')}`,
      'no certificate': acme.metadata
        .replaceAll(/<X509Certificate>[^<]*/g, '<Nothing>')
        .replaceAll('</X509Certificate>', '</Nothing>'),
      'a broken certificate': acme.metadata.replaceAll(/<X509Certificate>[^<]*/g, '<X509Certificate>AAAA'),
      'no place to sign in': acme.metadata.replaceAll('HTTP-Redirect', 'HTTP-Elsewhere'),
      'a script to sign in': acme.metadata.replaceAll(/Location="[^"]*"/g, 'Location="javascript:alert(1)"'),
      'another machine without https': acme.metadata.replaceAll(/Location="[^"]*"/g, 'Location="http://acme.example/"'),
      'two companies': `<all>${acme.metadata.replace(/<\?xml[^>]*>/, '')}${rival.metadata.replace(/<\?xml[^>]*>/, '')}</all>`,
    };
    for (const [name, metadata_xml] of Object.entries(wrong))
      expect([name, ...refusal(await create({ metadata_xml }))]).toEqual([name, 400, 'validation_failed']);
  });

  it('rejects requests with missing, surplus or malformed fields', async () => {
    const wrong = [
      { type: 'oidc', metadata_xml: acme.metadata },
      {},
      { metadata_xml: acme.metadata, metadata_url: acme.metadataUrl },
      { metadata_xml: acme.metadata, domains: ['not a domain'] },
      { metadata_xml: acme.metadata, domains: ['*.acme.example'] },
      { metadata_xml: acme.metadata, attribute_mapping: { keys: { email: 'mail' } } },
      { metadata_xml: acme.metadata, name_id_format: '"><script>' },
    ];
    for (const fields of wrong) expect(refusal(await create(fields))).toEqual([400, 'validation_failed']);
    expect(refusal(await create({ metadata_xml: 'x'.repeat(2_000_000) }))).toEqual([413, 'request_entity_too_large']);
    expect(refusal(await admin(server, 'GET', '/acme'))).toEqual([404, 'sso_provider_not_found']);
  });

  it('assigns an entity id and a domain to one provider only, also for ten concurrent requests', async () => {
    const metadata = { metadata_xml: acme.metadata, domains: ['acme.example'] };
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(metadata)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 201).map(refusal);
    expect(refused).toEqual(Array(9).fill([422, 'saml_idp_already_exists']));
    const taken = [422, 'sso_domain_already_exists'];
    expect(refusal(await create({ metadata_xml: rival.metadata, domains: ['ACME.example'] }))).toEqual(taken);
    expect((await admin(server, 'GET')).body.items).toHaveLength(1);
    const change = async (fields: object) => refusal(await admin(server, 'PUT', `/${other}`, fields));
    const other = await introduce(server, rival);
    expect(await change({ domains: ['acme.example'] })).toEqual(taken);
    expect(await change({ metadata_xml: acme.metadata })).toEqual([422, 'saml_entity_id_mismatch']);
  });
});
