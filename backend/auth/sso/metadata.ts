import type { Context } from 'hono';
import type { Env } from '../context.ts';
import { samlOnly } from './enabled.ts';
import { describeOurselves } from './service-provider.ts';
import { loadSamlKey } from './signing-key.ts';

const DAYS = 2;
/** Validity of a downloaded copy, which is uploaded by hand and rarely renewed. */
const DAYS_OF_A_COPY = 5 * 365;

export async function samlMetadata(c: Context<Env>) {
  samlOnly(c);
  const copy = c.req.query('download') === 'true';
  const key = await loadSamlKey(c.var.identity.config.keysFile);
  c.header('content-type', 'application/xml; charset=utf-8');
  c.header('cache-control', 'public, max-age=600');
  if (copy) c.header('content-disposition', 'attachment; filename="metadata.xml"');
  return c.body(describeOurselves(c.var.identity, key, copy ? DAYS_OF_A_COPY : DAYS));
}
