import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { dirname, join } from 'node:path';
import { readIfPresent } from '../../data-dir/durable-file.ts';
import { readKeyFile } from '../../keys/key-file.ts';
import type { AuthContext, AuthRequest } from '../context.ts';
import { loadLibrary } from './library.ts';
import { readIdpMetadata, type SsoProvider } from './sso-provider.ts';

export const CLOCK_SKEW_MS = 30_000;

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const DAY_MS = 24 * 60 * 60 * 1000;

const entityIdOf = (identity: Pick<AuthContext, 'issuer'>) => `${identity.issuer}/sso/saml/metadata`;

export const consumerUrl = (identity: Pick<AuthContext, 'issuer'>) => `${identity.issuer}/sso/saml/acs`;

/** Configures the library for one provider and one request; responses to other requests are rejected. */
export async function createSamlClient(identity: AuthContext, provider: SsoProvider, requestId: string) {
  const [{ SAML, always }, idp, key] = await Promise.all([
    loadLibrary(),
    readIdpMetadata(provider.metadata_xml),
    loadSamlKey(identity.config.keysFile),
  ]);
  return new SAML({
    issuer: entityIdOf(identity),
    audience: entityIdOf(identity),
    callbackUrl: consumerUrl(identity),
    entryPoint: idp.signInUrl,
    idpCert: idp.certificates,
    privateKey: key.privateKey,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    identifierFormat: provider.name_id_format ?? PERSISTENT,
    // The authentication method is the company's decision.
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    generateUniqueId: () => requestId,
    validateInResponseTo: always,
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async (id) => (id === requestId ? new Date().toISOString() : null),
      removeAsync: async () => null,
    },
  });
}

function serviceProviderMetadata(identity: AuthContext, key: SamlKey, validDays: number): string {
  const certificate = key.certificate
    ? `<ds:X509Data><ds:X509Certificate>${key.certificate}</ds:X509Certificate></ds:X509Data>`
    : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${entityIdOf(identity)}" validUntil="${new Date(Date.now() + validDays * DAY_MS).toISOString()}">
  <md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" AuthnRequestsSigned="true" WantAssertionsSigned="true">
    <md:KeyDescriptor use="signing">
      <ds:KeyInfo><ds:KeyValue><ds:RSAKeyValue><ds:Modulus>${key.modulus}</ds:Modulus><ds:Exponent>${key.exponent}</ds:Exponent></ds:RSAKeyValue></ds:KeyValue>${certificate}</ds:KeyInfo>
    </md:KeyDescriptor>
    <md:NameIDFormat>${PERSISTENT}</md:NameIDFormat>
    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${consumerUrl(identity)}" index="1" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`;
}

const VALID_DAYS = 2;
/** Validity of a downloaded copy, which is uploaded by hand and rarely renewed. */
const DOWNLOAD_DAYS = 5 * 365;

export async function samlMetadata(c: AuthRequest) {
  const isDownload = c.req.query('download') === 'true';
  const key = await loadSamlKey(c.var.identity.config.keysFile);
  c.header('content-type', 'application/xml; charset=utf-8');
  c.header('cache-control', 'public, max-age=600');
  if (isDownload) c.header('content-disposition', 'attachment; filename="metadata.xml"');
  return c.body(serviceProviderMetadata(c.var.identity, key, isDownload ? DOWNLOAD_DAYS : VALID_DAYS));
}

type SamlKey = Awaited<ReturnType<typeof loadSamlKey>>;

/** RSA 2048: PKCS #8 in PEM, the rest in base64. `saml-certificate.pem` is optional. @throws Error for the operator */
export async function loadSamlKey(keysFile: string) {
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
    `"saml" in ${file} is not an RSA private key. Restore it from your backup, or remove it to create a new one.`,
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
