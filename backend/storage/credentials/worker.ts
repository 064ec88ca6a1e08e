import { parentPort, workerData } from 'node:worker_threads';
import { type Asset, type AssetType, BMFF, JPEG, PNG } from '@trustnxt/c2pa-ts/asset';
import { SuperBox } from '@trustnxt/c2pa-ts/jumbf';
import {
  ActionAssertion,
  IngredientAssertion,
  type Manifest,
  ManifestStore,
  RelationshipType,
  ValidationResult,
} from '@trustnxt/c2pa-ts/manifest';
import { Webp } from './webp.ts';

/** A thread that reads the credentials of one file and ends. What it throws, and how it dies, means that there are none. */

/** What says that file or claim are not what was signed. Everything else that is wrong says only that we cannot tell. */
const BROKEN = /^(claimSignature|assertion\.(dataHash|bmffHash|hashedURI)|hashedURI)\.mismatch$/;

const bytes = workerData as Uint8Array<ArrayBuffer>;
const kinds: AssetType[] = [JPEG, PNG, Webp, BMFF];
const Kind = kinds.find((kind) => kind.canRead(bytes));
parentPort!.postMessage(Kind ? await read(new Kind(bytes)) : null);

async function read(asset: Asset) {
  const packed = asset.getManifestJUMBF();
  if (!packed) return null;
  const store = ManifestStore.read(SuperBox.fromBuffer(new Uint8Array(packed)));
  const manifest = store.getActiveManifest();
  const signature = manifest?.signature?.signatureData;
  if (!manifest?.claim || !signature) return null;
  const { claimGeneratorName: name, claimGeneratorVersion: version } = manifest.claim;
  return {
    state: await stateOf(store, asset),
    signer: signature.certificate && named(signature.certificate.subjectName),
    tool: [name, version].filter(Boolean).join(' '),
    signed: signature.timestamp,
    source: sourceIn(store, manifest),
  };
}

async function stateOf(store: ManifestStore, asset: Asset) {
  const { isValid, statusEntries } = await store
    .validate(asset)
    .catch((error: Error) => ValidationResult.fromError(error));
  if (isValid) return 'intact';
  return statusEntries.some(({ code, success }) => !success && BROKEN.test(code)) ? 'changed' : 'unproven';
}

/** The organisation of a certificate, or else the name in it. */
function named(subject: { getField(name: string): string[] }): string | undefined {
  return subject.getField('O')[0] ?? subject.getField('CN')[0];
}

/** Of what the actions tell, what admits most; what was only opened and saved is what it was before. */
function sourceIn(store: ManifestStore, manifest: Manifest, deep = 0): string | undefined {
  const assertions = manifest.assertions?.assertions ?? [];
  const told = assertions
    .filter((assertion) => assertion instanceof ActionAssertion)
    .flatMap(({ actions }) => actions.map(({ digitalSourceType }) => digitalSourceType as string | undefined))
    .filter((source) => source !== undefined);
  const found = told.find((one) => /\/trainedAlgo/.test(one)) ?? told.find((one) => /Trained/.test(one)) ?? told[0];
  if (found || deep > 8) return found;
  const parent = assertions.find(
    (one) => one instanceof IngredientAssertion && one.relationship === RelationshipType.ParentOf,
  ) as IngredientAssertion | undefined;
  const { uri } = parent?.activeManifest ?? parent?.c2pa_manifest ?? {};
  const before = store.manifests.find(({ label }) => label && uri?.includes(label));
  return before && before !== manifest ? sourceIn(store, before, deep + 1) : undefined;
}
