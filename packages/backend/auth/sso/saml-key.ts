import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { dirname, join } from 'node:path';
import { readIfPresent, readKeyFile } from '../../http/key-file.ts';

export interface SamlKey {
  /** PKCS #8, PEM. */
  privateKey: string;
  /** RSA modulus and exponent, base64. */
  modulus: string;
  exponent: string;
  certificate: string | null;
}

/**
 * Reads the RSA 2048 key, creating it on first use, and an optional `saml-certificate.pem` beside the key file.
 * @throws Error with a message for the operator
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
    // Thrown below: the original error could quote the private key.
  }
  throw new Error(
    `"saml" in ${file} is no RSA private key. Restore it from your backup, or take it out to get a new one.`,
  );
}

async function certificateFor(key: KeyObject, file: string): Promise<string | null> {
  const pem = await readIfPresent(file);
  if (pem === null) return null;
  const certificate = new X509Certificate(pem);
  if (!certificate.checkPrivateKey(key))
    throw new Error(`${file} is a certificate for another key than the one that "npm run keys -- saml" prints.`);
  return certificate.raw.toString('base64');
}
