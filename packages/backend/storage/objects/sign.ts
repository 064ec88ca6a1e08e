import * as z from 'zod';
import { findRow } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import type { Claims } from '../../keys/keys.ts';
import type { Request } from '../context.ts';
import { SignedTransform } from '../images/render.ts';
import { plainText, readBody } from '../read-body.ts';
import { authenticate, readForRequest } from '../run-for-request.ts';
import { signToken, type TokenPayload, verifyToken } from '../tokens.ts';
import { findWithBucket, requireObject, sendObject } from './download.ts';
import { parseBucketPath, parseObjectPath } from './names.ts';
import { findBucket, findObject } from './rows.ts';
import { requireWriteAccess, uploadAs } from './upload.ts';

const SIGN_PATH = '/storage/v1/object/sign/';
const UPLOAD_SIGN_PATH = '/storage/v1/object/upload/sign/';
const MAX_PATHS = 1000;
const UPLOAD_URL_SECONDS = 2 * 60 * 60;
const NOT_VISIBLE = 'Either the object does not exist or you do not have access to it';

const CENTURY_SECONDS = 100 * 365 * 24 * 3600;
const expiresIn = z.int().positive().max(CENTURY_SECONDS);
const SignOneBody = z.object({ expiresIn, transform: SignedTransform.optional() });
const SignManyBody = z.object({ expiresIn, paths: z.array(plainText()).min(1).max(MAX_PATHS) });

export async function createSignedUrl(c: Request) {
  const { bucket, key } = parseObjectPath(c, SIGN_PATH);
  const caller = await authenticate(c);
  const { expiresIn, transform } = await readBody(c, SignOneBody);
  await readForRequest(c, caller, (tx) => findObject(tx, bucket, key));
  const requested = transform && Object.keys(transform).length > 0 ? transform : undefined;
  const url = `${bucket}/${key}`;
  const payload = { url, scope: 'download' as const, ...(requested ? { transform: requested } : {}) };
  const token = await signToken(c.var.storage.keys, payload, expiresIn);
  const base = requested ? '/render/image/sign' : '/object/sign';
  return c.json({ signedURL: `${base}/${url}?token=${token}` });
}

export async function createSignedUrls(c: Request) {
  const bucket = parseBucketPath(c, SIGN_PATH);
  const caller = await authenticate(c);
  const { expiresIn, paths } = await readBody(c, SignManyBody);
  const found = 'select name from storage.objects where bucket_id = $1 and name = any($2)';
  const { rows } = await readForRequest(c, caller, (tx) => tx.query<{ name: string }>(found, [bucket, paths]));
  const visible = new Set(rows.map(({ name }) => name));
  const results = paths.map(async (path) => {
    if (!visible.has(path)) return { path, error: NOT_VISIBLE, signedURL: null };
    const token = await signToken(c.var.storage.keys, { url: `${bucket}/${path}`, scope: 'download' }, expiresIn);
    return { path, error: null, signedURL: `/object/sign/${bucket}/${path}?token=${token}` };
  });
  return c.json(await Promise.all(results));
}

export async function downloadSigned(c: Request) {
  const { bucket, key } = parseObjectPath(c, SIGN_PATH);
  await verifyToken(c.var.storage.keys, c.req.query('token'), 'download', `${bucket}/${key}`);
  return sendObject(c, requireObject(await findWithBucket(c.var.storage, bucket, key)), true);
}

/** Needs the right to insert, and with `x-upsert` to read and update, as upstream. */
export async function createSignedUploadUrl(c: Request) {
  const { bucket, key } = parseObjectPath(c, UPLOAD_SIGN_PATH);
  const caller = await authenticate(c);
  const upsert = c.req.header('x-upsert') === 'true';
  await findBucket(c.var.storage.db, bucket);
  await requireWriteAccess(c, caller, bucket, key, upsert ? 'upsert' : 'create');
  const { role, userId: owner, claims } = caller;
  const url = `${bucket}/${key}`;
  const payload = { url, scope: 'upload' as const, role, owner, aal: claims['aal'], upsert };
  const token = await signToken(c.var.storage.keys, payload, UPLOAD_URL_SECONDS);
  return c.json({ url: `/object/upload/sign/${url}?token=${token}`, token });
}

/** Recorded as the signer under the signer's current policies, but counted against the sender's address. */
export async function uploadSigned(c: Request) {
  const { bucket, key } = parseObjectPath(c, UPLOAD_SIGN_PATH);
  const token = await verifyToken(c.var.storage.keys, c.req.query('token'), 'upload', `${bucket}/${key}`);
  await uploadAs(c, await signerOf(c, token), bucket, key, token.upsert ? 'upsert' : 'create', c.env.address);
  return c.json({ Key: `${bucket}/${key}` });
}

/** With the account's current claims: the holder of the URL could read those in the token. */
export async function signerOf(c: Request, { role = 'anon', owner = null, aal }: TokenPayload): Promise<Caller> {
  const text = 'select email, is_anonymous, raw_app_meta_data as app_metadata from auth.users where id = $1';
  const account = owner && { sub: owner, aal, ...(await findRow<Claims>(c.var.storage.db, text, [owner])) };
  return { role, claims: { ...account, role }, userId: owner, sessionId: null };
}
