import type { Request, StorageContext } from '../context.ts';
import type { StoredObject } from '../objects/rows.ts';
import { type Served, serve } from '../objects/serve.ts';
import type { PictureKind } from '../pictures/kinds.ts';
import type { Opened } from '../store.ts';
import { labelledTag, labelOf, packetOf } from './packet.ts';
import { withPacket } from './splice.ts';

/**
 * Answers with a stored picture and, in it, the label that its record and the uploaded file give it. What lies in the
 * store has none, so a mark that changes costs nothing but other first bytes.
 * @param kind null for what is no picture: it is sent as it is
 */
export async function serveLabelled(
  c: Request,
  object: StoredObject,
  kind: PictureKind | null,
  served: Served,
  opened: Opened,
): Promise<Response> {
  const { name, metadata, made = null } = object;
  const label = kind && labelOf(made, metadata.provenance ?? {});
  const told = { ...served, cacheControl: keptAs(c, made, served.cacheControl) };
  if (!label) return serve(c, name, told, opened);
  const packet = packetOf(label);
  const whole = await withPacket(opened, kind, packet).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  // The date of the file says nothing about the label: only the tag tells whether a copy is still right.
  return serve(c, name, { ...told, etag: labelledTag(served.etag, packet), modified: null }, whole);
}

/** Pages write the mark into the address, so that a kept copy goes with it; under any other address it is asked for again. */
const keptAs = (c: Request, made: string | null, cacheControl: string) =>
  (c.req.query('made') ?? null) === made || cacheControl.includes('no-cache') ? cacheControl : 'public, no-cache';

/**
 * Who made a file, as a column of a question about `storage.objects`: the product says it, in a function of its own.
 * A project without one marks nothing.
 */
export async function madeColumn(db: StorageContext['db']): Promise<string> {
  const { rows } = await db.query<{ here: boolean }>(
    `select to_regprocedure('private.made_of_file(text, text)') is not null as here`,
  );
  return rows[0]!.here ? 'private.made_of_file(objects.bucket_id, objects.name) as made' : 'null as made';
}
