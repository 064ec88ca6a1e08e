import * as z from 'zod';
import type { Caller } from '../../http/caller.ts';
import type { Request } from '../context.ts';
import { SignedTransform } from '../images/render.ts';
import { plain, read } from '../read-body.ts';
import { as, caller } from '../run-for-request.ts';
import { sign, tokenFor } from '../tokens.ts';
import { objectIn, publicObject, send } from './download.ts';
import { addressed, bucketName, decoded } from './names.ts';
import { bucketOf, objectOf } from './rows.ts';
import { mayWrite, takeAs } from './upload.ts';

const SIGN = '/storage/v1/object/sign/';
const UPLOAD_SIGN = '/storage/v1/object/upload/sign/';
const MOST_PATHS = 1000;
const UPLOAD_SECONDS = 2 * 60 * 60;
const MISSING = 'Either the object does not exist or you do not have access to it';

const expiresIn = z
  .int()
  .positive()
  .max(10 * 365 * 24 * 3600);
const One = z.object({ expiresIn, transform: SignedTransform.optional() });
const Many = z.object({ expiresIn, paths: z.array(plain()).min(1).max(MOST_PATHS) });

export async function signOne(c: Request) {
  const { bucket, key } = addressed(new URL(c.req.url).pathname, SIGN);
  const who = await caller(c);
  const { expiresIn, transform } = await read(c, One);
  await as(c, who, (tx) => objectOf(tx, bucket, key), { readOnly: true });
  const asked = transform && Object.keys(transform).length > 0 ? transform : undefined;
  const token = await sign(
    c.var.house.keys,
    { url: `${bucket}/${key}`, scope: 'download', ...(asked ? { transform: asked } : {}) },
    expiresIn,
  );
  const base = asked ? '/render/image/sign' : '/object/sign';
  return c.json({ signedURL: `${base}/${bucket}/${key}?token=${token}` });
}

export async function signMany(c: Request) {
  const bucket = bucketName(decoded(new URL(c.req.url).pathname.slice(SIGN.length)));
  const who = await caller(c);
  const { expiresIn, paths } = await read(c, Many);
  const { rows } = await as(
    c,
    who,
    (tx) =>
      tx.query<{ name: string }>('select name from storage.objects where bucket_id = $1 and name = any($2)', [
        bucket,
        paths,
      ]),
    { readOnly: true },
  );
  const visible = new Set(rows.map(({ name }) => name));
  const answers = paths.map(async (path) => {
    if (!visible.has(path)) return { path, error: MISSING, signedURL: null };
    const token = await sign(c.var.house.keys, { url: `${bucket}/${path}`, scope: 'download' }, expiresIn);
    return { path, error: null, signedURL: `/object/sign/${bucket}/${path}?token=${token}` };
  });
  return c.json(await Promise.all(answers));
}

export async function downloadSigned(c: Request) {
  const { bucket, key } = addressed(new URL(c.req.url).pathname, SIGN);
  await tokenFor(c.var.house.keys, c.req.query('token'), 'download', `${bucket}/${key}`);
  return send(c, objectIn(await publicObject(c.var.house, bucket, key)), true);
}

/** Needs the right to insert, and with `x-upsert` to read and update, as upstream. */
export async function signUpload(c: Request) {
  const { bucket, key } = addressed(new URL(c.req.url).pathname, UPLOAD_SIGN);
  const who = await caller(c);
  const upsert = c.req.header('x-upsert') === 'true';
  await bucketOf(c.var.house.db, bucket);
  await mayWrite(c, who, bucket, key, upsert ? 'upsert' : 'create');
  const token = await sign(
    c.var.house.keys,
    { url: `${bucket}/${key}`, scope: 'upload', role: who.role, owner: who.userId, upsert },
    UPLOAD_SECONDS,
  );
  return c.json({ url: `/object/upload/sign/${bucket}/${key}?token=${token}`, token });
}

/** Recorded as the signer under the signer's current policies, but counted against the sender's address. */
export async function uploadSigned(c: Request) {
  const { bucket, key } = addressed(new URL(c.req.url).pathname, UPLOAD_SIGN);
  const token = await tokenFor(c.var.house.keys, c.req.query('token'), 'upload', `${bucket}/${key}`);
  await takeAs(c, signerOf(token), bucket, key, token.upsert ? 'upsert' : 'create', c.env.address);
  return c.json({ Key: `${bucket}/${key}` });
}

export function signerOf({ role = 'anon', owner }: Awaited<ReturnType<typeof tokenFor>>): Caller {
  const userId = owner ?? null;
  return { role, claims: { role, ...(userId ? { sub: userId } : {}) }, userId, sessionId: null };
}
