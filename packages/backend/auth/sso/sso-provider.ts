import { X509Certificate } from 'node:crypto';
import type { Logger } from 'pino';
import * as z from 'zod';
import { type Connection, type Database, findRow } from '../../database/database.ts';
import { recordServerEvent } from '../audit.ts';
import { errors } from '../errors.ts';
import { isLoopback, providerFetch } from '../providers/call-provider.ts';
import { loadLibrary } from './library.ts';

const MappedAttribute = z
  .object({
    name: z.string().min(1).max(512).optional(),
    names: z.array(z.string().min(1).max(512)).max(20).optional(),
    default: z.json().optional(),
    array: z.boolean().optional(),
  })
  .refine((mapped) => JSON.stringify(mapped).length <= 4096, 'is too long');

export const AttributeMapping = z.object({ keys: z.record(z.string().min(1).max(100), MappedAttribute).optional() });

export type AttributeMapping = z.output<typeof AttributeMapping>;

export interface SsoProvider {
  id: string;
  disabled: boolean;
  domains: string[];
  entity_id: string;
  metadata_xml: string;
  metadata_url: string | null;
  attribute_mapping: AttributeMapping | null;
  name_id_format: string | null;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `p.id, coalesce(p.disabled, false) as disabled, s.entity_id, s.metadata_xml, s.metadata_url, s.attribute_mapping,
  s.name_id_format, p.created_at, p.updated_at,
  array(select d.domain from auth.sso_domains d where d.sso_provider_id = p.id order by d.domain) as domains
  from auth.sso_providers p join auth.saml_providers s on s.sso_provider_id = p.id`;

export const findProvider = (db: Connection, id: string) => findOne(db, 'p.id = $1', id);

export function findProviderByDomain(db: Connection, domain: string) {
  const condition = 'exists (select from auth.sso_domains d where d.sso_provider_id = p.id and lower(d.domain) = $1)';
  return findOne(db, condition, domain.toLowerCase());
}

export const findProviderByEntityId = (db: Connection, entityId: string) => findOne(db, 's.entity_id = $1', entityId);

export async function listProviders(db: Connection): Promise<SsoProvider[]> {
  const { rows } = await db.query<SsoProvider>(`select ${COLUMNS} order by p.created_at, p.id`);
  return rows;
}

const findOne = (db: Connection, condition: string, value: string) =>
  findRow<SsoProvider>(db, `select ${COLUMNS} where ${condition}`, [value]);

export const showProvider = (provider: SsoProvider, hasMetadata = true) => ({
  id: provider.id,
  ...(provider.disabled ? { disabled: true } : {}),
  saml: {
    entity_id: provider.entity_id,
    ...(hasMetadata ? { metadata_xml: provider.metadata_xml } : {}),
    ...(provider.metadata_url ? { metadata_url: provider.metadata_url } : {}),
    ...(provider.attribute_mapping ? { attribute_mapping: provider.attribute_mapping } : {}),
    ...(provider.name_id_format ? { name_id_format: provider.name_id_format } : {}),
  },
  domains: provider.domains.map((domain) => ({ domain })),
  created_at: provider.created_at,
  updated_at: provider.updated_at,
});

/** Characters; documents of large vendors stay below 100 000. */
export const MAX_METADATA_LENGTH = 512 * 1024;

const FETCH_TIMEOUT_MS = 10_000;
const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/** Parses SAML metadata of exactly one identity provider. @throws ApiError 400 */
export async function readIdpMetadata(xml: string) {
  if (xml.length > MAX_METADATA_LENGTH) throw invalidMetadata(`is longer than ${MAX_METADATA_LENGTH} characters`);
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw invalidMetadata('must not declare document types or entities');
  const { parseXml, xpath } = await loadLibrary();
  const document = await parseXml(xml).catch(() => {
    throw invalidMetadata('is not well-formed XML');
  });
  const select = (path: string, from: Node = document) => xpath.selectElements(from, path);
  const [descriptor, ...others] = select("//*[local-name()='EntityDescriptor'][*[local-name()='IDPSSODescriptor']]");
  if (!descriptor || others.length) throw invalidMetadata('must describe exactly one identity provider');
  const entityId = descriptor.getAttribute('entityID')?.trim();
  if (!entityId || entityId.length > 1024) throw invalidMetadata('has no usable entityID');
  const service = select("./*[local-name()='IDPSSODescriptor']/*[local-name()='SingleSignOnService']", descriptor).find(
    (element) => element.getAttribute('Binding') === REDIRECT_BINDING,
  );
  const signInUrl = service?.getAttribute('Location') ?? '';
  if (!isReachable(signInUrl)) throw invalidMetadata('has no https SingleSignOnService with the HTTP-Redirect binding');
  const certificates = select("./*[local-name()='IDPSSODescriptor']/*[local-name()='KeyDescriptor']", descriptor)
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .flatMap((key) => select(".//*[local-name()='X509Certificate']", key))
    .map((element) => certificateOf(element.textContent ?? ''));
  if (!certificates.length) throw invalidMetadata('has no certificate to check signatures with');
  return { entityId, signInUrl, certificates };
}

/** @throws ApiError 400 saml_metadata_fetch_failed, also for oversized or slow responses */
export async function fetchIdpMetadata(address: string): Promise<string> {
  if (!isReachable(address)) throw errors.invalid('Only HTTPS metadata URLs are supported');
  try {
    // SSRF protection: follows no redirects away from the operator's URL.
    const response = await providerFetch(address, {
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
    });
    if (!response.ok) throw new Error(`it returned ${response.status}`);
    const xml = new TextDecoder('utf-8', { fatal: true }).decode(await response.arrayBuffer());
    if (xml.length > MAX_METADATA_LENGTH) throw new Error('it is too long');
    return xml;
  } catch (error) {
    throw errors.metadataNotFetched((error as Error).message);
  }
}

/** Companies rotate their certificates. Until a document can be fetched and used, the stored one remains. */
export async function refreshMetadata(db: Database, log: Logger): Promise<void> {
  for (const { id, entity_id, metadata_url: url } of await listProviders(db)) {
    if (url === null) continue;
    try {
      const document = await fetchIdpMetadata(url);
      if ((await readIdpMetadata(document)).entityId !== entity_id) throw errors.samlEntityIdDiffers();
      const text = `update auth.saml_providers set metadata_xml = $3, updated_at = now()
         where sso_provider_id = $1 and metadata_url = $2 and metadata_xml <> $3`;
      await db.transaction(async (tx) => {
        const { affected } = await tx.query(text, [id, url, document]);
        if (affected) await recordServerEvent(tx, { action: 'sso_provider_changed', object: id });
      });
    } catch (err) {
      log.warn({ err, provider: id }, 'SAML metadata not refreshed: using the stored document');
    }
  }
}

function isReachable(address: string): boolean {
  const url = URL.parse(address);
  if (!url || url.username || url.password) return false;
  return url.protocol === 'https:' || isLoopback(url);
}

function certificateOf(base64: string): string {
  try {
    return new X509Certificate(Buffer.from(base64.replace(/\s+/g, ''), 'base64')).toString();
  } catch {
    throw invalidMetadata('has a certificate that cannot be read');
  }
}

const invalidMetadata = (why: string) => errors.invalid(`SAML Metadata ${why}`);
