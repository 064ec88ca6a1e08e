import * as z from 'zod';
import type { Connection } from '../../database/database.ts';
import { optional } from '../body.ts';
import { errors } from '../errors.ts';
import { fetchIdpMetadata, MAX_METADATA_LENGTH } from '../sso/idp-metadata.ts';

const MAX_DOMAINS = 100;

/** Bytes: an attribute mapping takes a few kilobytes, a large vendor's metadata about a hundred. */
export const MAX_BODY_LENGTH = 2 * MAX_METADATA_LENGTH;

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

export const ProviderFields = {
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
export async function readDocument(body: { metadata_xml: string | null; metadata_url: string | null }) {
  if (body.metadata_xml && body.metadata_url)
    throw errors.invalid('Only one of metadata_xml or metadata_url needs to be set');
  return body.metadata_url ? fetchIdpMetadata(body.metadata_url) : body.metadata_xml;
}

/** Replaces the provider's domains. @throws ApiError when a domain belongs to another provider */
export async function setDomains(tx: Connection, providerId: string, domains: string[]): Promise<void> {
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
