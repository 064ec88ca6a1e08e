import type { Connection } from '../../database/database.ts';

export interface AttributeMapping {
  keys?: Record<string, MappedAttribute>;
}

export interface MappedAttribute {
  name?: string | undefined;
  /** Tried in order, instead of `name`. */
  names?: string[] | undefined;
  default?: unknown;
  array?: boolean | undefined;
}

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

export const findProviderByDomain = (db: Connection, domain: string) =>
  findOne(
    db,
    'exists (select from auth.sso_domains d where d.sso_provider_id = p.id and lower(d.domain) = $1)',
    domain.toLowerCase(),
  );

export const findProviderByEntityId = (db: Connection, entityId: string) => findOne(db, 's.entity_id = $1', entityId);

export async function listProviders(db: Connection): Promise<SsoProvider[]> {
  const { rows } = await db.query<SsoProvider>(`select ${COLUMNS} order by p.created_at, p.id`);
  return rows;
}

async function findOne(db: Connection, condition: string, value: string): Promise<SsoProvider | null> {
  const { rows } = await db.query<SsoProvider>(`select ${COLUMNS} where ${condition}`, [value]);
  return rows[0] ?? null;
}

export const showProvider = (provider: SsoProvider, detail: 'with metadata' | 'without metadata') => ({
  id: provider.id,
  ...(provider.disabled ? { disabled: true } : {}),
  saml: {
    entity_id: provider.entity_id,
    ...(detail === 'with metadata' ? { metadata_xml: provider.metadata_xml } : {}),
    ...(provider.metadata_url ? { metadata_url: provider.metadata_url } : {}),
    ...(provider.attribute_mapping ? { attribute_mapping: provider.attribute_mapping } : {}),
    ...(provider.name_id_format ? { name_id_format: provider.name_id_format } : {}),
  },
  domains: provider.domains.map((domain) => ({ domain })),
  created_at: provider.created_at,
  updated_at: provider.updated_at,
});
