import type { Context } from 'hono';
import * as z from 'zod';
import { record } from '../../audit.ts';
import { read } from '../../body.ts';
import type { Env } from '../../context.ts';
import { errors } from '../../errors.ts';
import { readIdpMetadata } from '../../sso/idp-metadata.ts';
import { findProvider, showProvider } from '../../sso/provider.ts';
import { providerOf } from './find.ts';
import { documentOf, MAX_BODY, ProviderFields, setDomains } from './provider-fields.ts';

const Body = z.object(ProviderFields);

/** `PUT /admin/sso/providers/{id}`: the entity id cannot change, because accounts are bound to the provider. */
export async function adminUpdateProvider(c: Context<Env>) {
  const { db } = c.var.identity;
  const before = await providerOf(c);
  const body = await read(c, Body, MAX_BODY);
  const document = await documentOf(body);
  if (document && (await readIdpMetadata(document)).entityId !== before.entity_id) throw errors.samlEntityIdDiffers();
  const provider = await db.transaction(async (tx) => {
    await tx.query(
      'update auth.sso_providers set disabled = coalesce($2, disabled), updated_at = now() where id = $1',
      [before.id, body.disabled],
    );
    await tx.query(
      `update auth.saml_providers set updated_at = now(),
         metadata_url = case when $2::text is null then metadata_url else $3 end,
         metadata_xml = coalesce($2, metadata_xml),
         attribute_mapping = coalesce($4::jsonb, attribute_mapping), name_id_format = coalesce($5, name_id_format)
       where sso_provider_id = $1`,
      [before.id, document, body.metadata_url, body.attribute_mapping, body.name_id_format],
    );
    if (body.domains) await setDomains(tx, before.id, body.domains);
    await record(tx, c, { action: 'sso_provider_changed', outcome: 'success', object: before.id });
    return findProvider(tx, before.id);
  });
  if (!provider) throw errors.noSuchSsoProvider('No such SSO provider');
  return c.json(showProvider(provider, 'with metadata'));
}
