import { createPrivateKey, generateKeyPair, type KeyObject, randomUUID, X509Certificate } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What our sign-in requests are signed with. */
export interface SamlKey {
  /** PKCS #8, PEM. */
  privateKey: string;
  /** RSA modulus and exponent, base64. */
  modulus: string;
  exponent: string;
  /** Base64 DER of the operator's certificate for this key, for identity providers that insist on one. */
  certificate: string | null;
}

/**
 * Reads `saml-key.pem` of the data folder, making it at first use (RSA 2048, mode 0600). An operator may lay a
 * certificate for it beside it, `saml-certificate.pem`.
 * @throws Error with a sentence for the operator when a file does not hold what it should
 */
export async function loadSamlKey(dataDir: string): Promise<SamlKey> {
  const file = join(dataDir, 'saml-key.pem');
  const pem = (await contents(file)) ?? (await makeKey(dataDir, file));
  const key = readKey(pem, file);
  const { n, e } = key.export({ format: 'jwk' });
  return {
    privateKey: pem,
    modulus: Buffer.from(n!, 'base64url').toString('base64'),
    exponent: Buffer.from(e!, 'base64url').toString('base64'),
    certificate: await certificateFor(key, join(dataDir, 'saml-certificate.pem')),
  };
}

function readKey(pem: string, file: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // Told below, without quoting a private key's file.
  }
  throw new Error(
    `${file} does not hold an RSA private key. Restore it from your backup, or delete it to get a new one.`,
  );
}

async function makeKey(dataDir: string, file: string): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, privateKey, { mode: 0o600, flush: true });
  try {
    // Unlike a rename, a link never replaces: of several processes that make a key, all use the first one's.
    await link(draft, file);
    return privateKey;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return await readFile(file, 'utf8');
  } finally {
    await unlink(draft);
  }
}

async function certificateFor(key: KeyObject, file: string): Promise<string | null> {
  const pem = await contents(file);
  if (pem === null) return null;
  const certificate = new X509Certificate(pem);
  if (!certificate.checkPrivateKey(key)) throw new Error(`${file} is a certificate for another key than saml-key.pem.`);
  return certificate.raw.toString('base64');
}

async function contents(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
