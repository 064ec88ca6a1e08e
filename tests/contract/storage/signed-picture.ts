import * as x509 from '@peculiar/x509';
import { type Asset, BMFF, JPEG, PNG } from '@trustnxt/c2pa-ts/asset';
import { CoseAlgorithmIdentifier, LocalSigner } from '@trustnxt/c2pa-ts/cose';
import {
  ActionAssertion,
  ActionType,
  BMFFHashAssertion,
  ClaimVersion,
  DataHashAssertion,
  type DigitalSourceType,
  ManifestStore,
} from '@trustnxt/c2pa-ts/manifest';
import { Webp } from '../../../backend/storage/credentials/webp.ts';

const KEY = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY = 24 * 60 * 60 * 1000;

/** What stands in the credentials of a picture that a test signs. */
interface Told {
  signer?: string;
  tool?: string;
  source?: string;
  /** Days from now on which the certificate ends. */
  ends?: number;
}

/** The picture with content credentials in it, signed by an authority of the test's own. */
export async function signed(
  bytes: Uint8Array,
  kind: 'jpeg' | 'png' | 'webp' | 'avif',
  { signer = 'Ink & Iron Ltd', tool = 'Drawing Engine', source, ends = 30 }: Told = {},
): Promise<Buffer> {
  const Kind = { jpeg: JPEG, png: PNG, webp: WritableWebp, avif: BMFF }[kind];
  const asset: Asset = new Kind(new Uint8Array(bytes));
  const hand = await signerNamed(signer, ends);
  const store = new ManifestStore();
  const manifest = store.createManifest({
    claimVersion: ClaimVersion.V2,
    assetFormat: `image/${kind}`,
    instanceID: `xmp:iid:${crypto.randomUUID()}`,
    defaultHashAlgorithm: 'SHA-256',
    signer: hand,
  });
  manifest.claim!.claimGeneratorName = tool;
  manifest.claim!.claimGeneratorVersion = '7.1';
  const actions = new ActionAssertion();
  actions.actions.push({
    action: ActionType.C2paCreated,
    ...(source && { digitalSourceType: source as DigitalSourceType }),
  });
  manifest.addAssertion(actions);
  const binding =
    kind === 'avif' ? BMFFHashAssertion.createV2('picture', 'SHA-256') : DataHashAssertion.create('SHA-256');
  manifest.addAssertion(binding);
  await asset.ensureManifestSpace(store.measureSize());
  await binding.updateWithAsset(asset as never);
  await manifest.sign(hand);
  await asset.writeManifestJUMBF(store.getBytes());
  return Buffer.from(await asset.getDataRange());
}

async function signerNamed(name: string, ends: number): Promise<LocalSigner> {
  const [authority, own] = await Promise.all(
    [0, 1].map(() => crypto.subtle.generateKey(KEY, true, ['sign', 'verify'])),
  );
  const dates = { notBefore: new Date(Date.now() - 60 * DAY), notAfter: new Date(Date.now() + ends * DAY) };
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...dates,
    name: 'CN=Test authority',
    keys: authority!,
    signingAlgorithm: KEY,
    extensions: [
      new x509.BasicConstraintsExtension(true, 1, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authority!.publicKey),
    ],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    ...dates,
    subject: [{ CN: ['Signing unit'] }, { O: [name] }],
    issuer: root.subject,
    publicKey: own!.publicKey,
    signingKey: authority!.privateKey,
    signingAlgorithm: KEY,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.emailProtection]),
      await x509.AuthorityKeyIdentifierExtension.create(root),
    ],
  });
  const key = new Uint8Array(await crypto.subtle.exportKey('pkcs8', own!.privateKey));
  return new LocalSigner(key, CoseAlgorithmIdentifier.ES256, certificate, []);
}

/** The library writes no WebP; a chunk at the end is all there is to it. */
class WritableWebp extends Webp {
  override async ensureManifestSpace(length: number): Promise<void> {
    const chunk = Buffer.alloc(8 + length + (length % 2));
    chunk.write('C2PA', 'latin1');
    chunk.writeUInt32LE(length, 4);
    const whole = Buffer.concat([this.bytes, chunk]);
    whole.writeUInt32LE(whole.length - 8, 4);
    this.bytes = whole;
  }

  override async writeManifestJUMBF(jumbf: Uint8Array): Promise<void> {
    this.bytes.set(jumbf, this.getHashExclusionRange().start + 8);
  }
}
