import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Connection } from '../../database/database.ts';
import { isUuid } from '../../http/caller.ts';
import { record } from '../audit.ts';
import { optional, readBody } from '../body.ts';
import type { AuthRequest } from '../context.ts';
import { errors } from '../errors.ts';
import {
  fetchIdpMetadata,
  findProvider,
  listProviders,
  MAX_METADATA_LENGTH,
  readIdpMetadata,
  type SsoProvider,
  showProvider,
} from './sso-provider.ts';

const MAX_DOMAINS = 100;

/** Bytes: an attribute mapping takes a few kilobytes, a large vendor's metadata about a hundred. */
const MAX_BODY_LENGTH = 2 * MAX_METADATA_LENGTH;

const Mapped = z
  .object({
    name: z.string().min(1).max(512).optional(),
    names: z.array(z.string().min(1).max(512)).max(20).optional(),
    default: z.json().optional(),
    array: z.boolean().optional(),
  })
  .refine((mapped) => JSON.stringify(mapped).length <= 4096, 'is too long');

const domain = z
  .string()
  .transform((text) => text.trim().toLowerCase())
  .pipe(
    z
      .string()
      .max(253)
      .regex(/^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))+$/, 'must be a domain such as example.com'),
  );

const ProviderFields = {
  metadata_xml: optional(z.string()),
  metadata_url: optional(z.string().max(2048)),
  domains: optional(z.array(domain).max(MAX_DOMAINS)),
  attribute_mapping: optional(z.object({ keys: z.record(z.string().min(1).max(100), Mapped).optional() })),
  name_id_format: optional(
    z
      .string()
      .max(512)
      .regex(/^urn:oasis:names:tc:SAML:[\w.:-]+$/, 'is no SAML name id format'),
  ),
  disabled: optional(z.boolean()),
};

/**
 * The metadata document, inline or fetched from `metadata_url`; null when neither is set.
 * @throws ApiError when both are set or the URL cannot be fetched
 */
async function readDocument(body: { metadata_xml: string | null; metadata_url: string | null }) {
  if (body.metadata_xml && body.metadata_url)
    throw errors.invalid('Only one of metadata_xml or metadata_url needs to be set');
  return body.metadata_url ? fetchIdpMetadata(body.metadata_url) : body.metadata_xml;
}

/** Replaces the provider's domains. @throws ApiError when a domain belongs to another provider */
async function setDomains(tx: Connection, providerId: string, domains: string[]): Promise<void> {
  await tx.query('delete from auth.sso_domains where sso_provider_id = $1', [providerId]);
  for (const name of new Set(domains)) {
    const { rows } = await tx.query(
      `insert into auth.sso_domains (sso_provider_id, domain, created_at, updated_at) values ($1, $2, now(), now())
       on conflict do nothing returning id`,
      [providerId, name],
    );
    if (!rows.length) throw errors.ssoDomainTaken(name);
  }
}

async function providerOf(c: AuthRequest): Promise<SsoProvider> {
  const id = c.req.param('id')!;
  const provider = isUuid(id) ? await findProvider(c.var.identity.db, id) : null;
  if (!provider) throw errors.noSuchSsoProvider('No such SSO provider');
  return provider;
}

export async function adminListProviders(c: AuthRequest) {
  const providers = await listProviders(c.var.identity.db);
  return c.json({ items: providers.map((provider) => showProvider(provider, 'without metadata')) });
}

export async function adminShowProvider(c: AuthRequest) {
  return c.json(showProvider(await providerOf(c), 'with metadata'));
}

const CreateBody = z.object({ ...ProviderFields, type: z.string().optional() });

export async function adminCreateProvider(c: AuthRequest) {
  const { db } = c.var.identity;
  const body = await readBody(c, CreateBody, MAX_BODY_LENGTH);
  if (body.type !== 'saml') throw errors.invalid("Only 'saml' supported for SSO provider type");
  const document = await readDocument(body);
  if (!document) throw errors.invalid('Either metadata_xml or metadata_url must be set');
  const { entityId } = await readIdpMetadata(document);
  const id = randomUUID();
  const provider = await db.transaction(async (tx) => {
    await tx.query(
      'insert into auth.sso_providers (id, disabled, created_at, updated_at) values ($1, $2, now(), now())',
      [id, body.disabled],
    );
    const { rows } = await tx.query(
      `insert into auth.saml_providers (id, sso_provider_id, entity_id, metadata_xml, metadata_url, attribute_mapping,
         name_id_format, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6::jsonb, $7, now(), now()) on conflict do nothing returning id`,
      [randomUUID(), id, entityId, document, body.metadata_url, body.attribute_mapping, body.name_id_format],
    );
    if (!rows.length) throw errors.samlIdpTaken(entityId);
    await setDomains(tx, id, body.domains ?? []);
    await record(tx, c, { action: 'sso_provider_created', object: id });
    return (await findProvider(tx, id))!;
  });
  return c.json(showProvider(provider, 'with metadata'), 201);
}

const UpdateBody = z.object(ProviderFields);

/** `PUT /admin/sso/providers/{id}`: the entity id cannot change, because accounts are bound to the provider. */
export async function adminUpdateProvider(c: AuthRequest) {
  const { db } = c.var.identity;
  const current = await providerOf(c);
  const body = await readBody(c, UpdateBody, MAX_BODY_LENGTH);
  const document = await readDocument(body);
  if (document && (await readIdpMetadata(document)).entityId !== current.entity_id) throw errors.samlEntityIdDiffers();
  const provider = await db.transaction(async (tx) => {
    await tx.query(
      'update auth.sso_providers set disabled = coalesce($2, disabled), updated_at = now() where id = $1',
      [current.id, body.disabled],
    );
    await tx.query(
      `update auth.saml_providers set updated_at = now(),
         metadata_url = case when $2::text is null then metadata_url else $3 end,
         metadata_xml = coalesce($2, metadata_xml),
         attribute_mapping = coalesce($4::jsonb, attribute_mapping), name_id_format = coalesce($5, name_id_format)
       where sso_provider_id = $1`,
      [current.id, document, body.metadata_url, body.attribute_mapping, body.name_id_format],
    );
    if (body.domains) await setDomains(tx, current.id, body.domains);
    await record(tx, c, { action: 'sso_provider_changed', object: current.id });
    return findProvider(tx, current.id);
  });
  if (!provider) throw errors.noSuchSsoProvider('No such SSO provider');
  return c.json(showProvider(provider, 'with metadata'));
}

/** `DELETE /admin/sso/providers/{id}`: disables sign-in through the provider; its accounts remain. */
export async function adminDeleteProvider(c: AuthRequest) {
  const provider = await providerOf(c);
  await c.var.identity.db.transaction(async (tx) => {
    await tx.query('delete from auth.sso_providers where id = $1', [provider.id]);
    await record(tx, c, { action: 'sso_provider_deleted', object: provider.id });
  });
  return c.json(showProvider(provider, 'with metadata'));
}
