import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import * as z from 'zod';
import { record } from '../../audit.ts';
import { read } from '../../body.ts';
import type { Env } from '../../context.ts';
import { errors } from '../../errors.ts';
import { samlOnly } from '../../sso/enabled.ts';
import { readIdpMetadata } from '../../sso/idp-metadata.ts';
import { findProvider, showProvider } from '../../sso/provider.ts';
import { documentOf, MAX_BODY, ProviderFields, setDomains } from './provider-fields.ts';

const Body = z.object({ ...ProviderFields, type: z.string().optional() });

export async function adminCreateProvider(c: Context<Env>) {
  samlOnly(c);
  const { db } = c.var.identity;
  const body = await read(c, Body, MAX_BODY);
  if (body.type !== 'saml') throw errors.invalid("Only 'saml' supported for SSO provider type");
  const document = await documentOf(body);
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
    await record(tx, c, { action: 'sso_provider_created', outcome: 'success', object: id });
    return (await findProvider(tx, id))!;
  });
  return c.json(showProvider(provider, 'with metadata'), 201);
}
