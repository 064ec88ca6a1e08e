import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readKeyFile } from '../../http/key-file.ts';

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
 * Reads the key from the key file, making it at first use (RSA 2048). An operator may lay a certificate for it beside that
 * file, `saml-certificate.pem`.
 * @throws Error with a sentence for the operator when a file does not hold what it should
 */
export async function loadSamlKey(keysFile: string): Promise<SamlKey> {
  const { saml } = await readKeyFile(keysFile, ['saml']);
  const key = readKey(saml!, keysFile);
  const { n, e } = key.export({ format: 'jwk' });
  return {
    privateKey: saml!,
    modulus: Buffer.from(n!, 'base64url').toString('base64'),
    exponent: Buffer.from(e!, 'base64url').toString('base64'),
    certificate: await certificateFor(key, join(dirname(keysFile), 'saml-certificate.pem')),
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
    `"saml" in ${file} is no RSA private key. Restore it from your backup, or take it out to get a new one.`,
  );
}

async function certificateFor(key: KeyObject, file: string): Promise<string | null> {
  const pem = await contents(file);
  if (pem === null) return null;
  const certificate = new X509Certificate(pem);
  if (!certificate.checkPrivateKey(key))
    throw new Error(`${file} is a certificate for another key than the one that "npm run keys -- saml" prints.`);
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
