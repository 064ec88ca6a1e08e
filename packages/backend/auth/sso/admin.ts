import * as z from 'zod';
import type { Connection } from '../../database/database.ts';
import { isUuid } from '../../http/caller.ts';
import { record } from '../audit.ts';
import { optional, readBody } from '../body.ts';
import type { AuthRequest } from '../context.ts';
import { errors } from '../errors.ts';
import { insertRow, insertUnlessTaken } from '../rows.ts';
import {
  AttributeMapping,
  fetchIdpMetadata,
  findProvider,
  listProviders,
  MAX_METADATA_LENGTH,
  readIdpMetadata,
  type SsoProvider,
  showProvider,
} from './sso-provider.ts';

const MAX_DOMAINS = 100;

/** An attribute mapping takes a few kilobytes, a large vendor's metadata about a hundred. */
const LARGE_BODY = { maxBytes: 2 * MAX_METADATA_LENGTH };

const DOMAIN = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))+$/;
const NAME_ID_FORMAT = /^urn:oasis:names:tc:SAML:[\w.:-]+$/;

const domain = z.string().trim().toLowerCase().max(253).regex(DOMAIN, 'must be a domain such as example.com');

const ProviderFields = {
  metadata_xml: optional(z.string()),
  metadata_url: optional(z.string().max(2048)),
  domains: optional(z.array(domain).max(MAX_DOMAINS)),
  attribute_mapping: optional(AttributeMapping),
  name_id_format: optional(z.string().max(512).regex(NAME_ID_FORMAT, 'is no SAML name id format')),
  disabled: optional(z.boolean()),
};

/** Null when neither is set. @throws ApiError when both are, or the URL cannot be fetched */
async function readDocument(body: { metadata_xml: string | null; metadata_url: string | null }) {
  if (body.metadata_xml && body.metadata_url)
    throw errors.invalid('Only one of metadata_xml or metadata_url needs to be set');
  return body.metadata_url ? fetchIdpMetadata(body.metadata_url) : body.metadata_xml;
}

async function setDomains(tx: Connection, providerId: string, domains: string[]): Promise<void> {
  await tx.query('delete from auth.sso_domains where sso_provider_id = $1', [providerId]);
  for (const domain of new Set(domains)) {
    if (!(await insertUnlessTaken(tx, 'sso_domains', { sso_provider_id: providerId, domain })))
      throw errors.ssoDomainTaken(domain);
  }
}

async function providerOf(c: AuthRequest): Promise<SsoProvider> {
  const id = c.req.param('id')!;
  const provider = isUuid(id) ? await findProvider(c.var.identity.db, id) : null;
  if (!provider) throw errors.noSuchSsoProvider();
  return provider;
}

export async function adminListProviders(c: AuthRequest) {
  const providers = await listProviders(c.var.identity.db);
  return c.json({ items: providers.map((provider) => showProvider(provider, false)) });
}

export const adminShowProvider = async (c: AuthRequest) => c.json(showProvider(await providerOf(c)));

const CreateBody = z.object({ ...ProviderFields, type: z.string().optional() });

export async function adminCreateProvider(c: AuthRequest) {
  const body = await readBody(c, CreateBody, LARGE_BODY);
  if (body.type !== 'saml') throw errors.invalid("Only 'saml' supported for SSO provider type");
  const document = await readDocument(body);
  if (!document) throw errors.invalid('Either metadata_xml or metadata_url must be set');
  const { entityId } = await readIdpMetadata(document);
  const provider = await c.var.identity.db.transaction(async (tx) => {
    const id = await insertRow(tx, 'sso_providers', { disabled: body.disabled });
    const saml = await insertUnlessTaken(tx, 'saml_providers', {
      sso_provider_id: id,
      entity_id: entityId,
      metadata_xml: document,
      metadata_url: body.metadata_url,
      attribute_mapping: body.attribute_mapping,
      name_id_format: body.name_id_format,
    });
    if (!saml) throw errors.samlIdpTaken(entityId);
    await setDomains(tx, id, body.domains ?? []);
    await record(tx, c, { action: 'sso_provider_created', object: id });
    return (await findProvider(tx, id))!;
  });
  return c.json(showProvider(provider), 201);
}

const UpdateBody = z.object(ProviderFields);

/** `PUT /admin/sso/providers/{id}`: the entity id cannot change, because accounts are bound to the provider. */
export async function adminUpdateProvider(c: AuthRequest) {
  const current = await providerOf(c);
  const body = await readBody(c, UpdateBody, LARGE_BODY);
  const document = await readDocument(body);
  if (document && (await readIdpMetadata(document)).entityId !== current.entity_id) throw errors.samlEntityIdDiffers();
  const provider = await c.var.identity.db.transaction(async (tx) => {
    const update = 'update auth.sso_providers set disabled = coalesce($2, disabled), updated_at = now() where id = $1';
    await tx.query(update, [current.id, body.disabled]);
    const samlUpdate = `update auth.saml_providers set updated_at = now(),
         metadata_url = case when $2::text is null then metadata_url else $3 end,
         metadata_xml = coalesce($2, metadata_xml),
         attribute_mapping = coalesce($4::jsonb, attribute_mapping), name_id_format = coalesce($5, name_id_format)
       where sso_provider_id = $1`;
    await tx.query(samlUpdate, [current.id, document, body.metadata_url, body.attribute_mapping, body.name_id_format]);
    if (body.domains) await setDomains(tx, current.id, body.domains);
    await record(tx, c, { action: 'sso_provider_changed', object: current.id });
    return findProvider(tx, current.id);
  });
  if (!provider) throw errors.noSuchSsoProvider();
  return c.json(showProvider(provider));
}

/** `DELETE /admin/sso/providers/{id}`: disables sign-in through the provider; its accounts remain. */
export async function adminDeleteProvider(c: AuthRequest) {
  const provider = await providerOf(c);
  await c.var.identity.db.transaction(async (tx) => {
    await tx.query('delete from auth.sso_providers where id = $1', [provider.id]);
    await record(tx, c, { action: 'sso_provider_deleted', object: provider.id });
  });
  return c.json(showProvider(provider));
}
