import { existsSync } from 'node:fs';
import { ownConfig } from '../../config.ts';
import { type KeyPlaces, keyPlaces, readSigningKeys } from '../http/key-file.ts';
import { rotateSigningKey } from '../http/key-rotation.ts';
import { usableKeys } from '../http/signing-key.ts';
import { readProject } from './supabase-config.ts';

/**
 * `npm run keys`: shows the keys that sign and verify access tokens. `npm run keys -- rotate`: a new one signs, the
 * old ones verify until their tokens have ended. `npm run keys -- rotate --revoke`: the old ones are refused at once.
 * A running server follows within seconds.
 */
const [command = 'show', ...options] = process.argv.slice(2);
try {
  if (!['show', 'rotate'].includes(command) || options.some((option) => command !== 'rotate' || option !== '--revoke'))
    throw new Error('Use: npm run keys, npm run keys -- rotate, or npm run keys -- rotate --revoke');
  const config = await ownConfig();
  if (config.backend.kind === 'hosted')
    throw new Error('SUPABASE_URL is set: the keys of a hosted project are rotated in its dashboard.');
  const places = keyPlaces(config, await readProject(config.backend.supabaseDir));
  if (!existsSync(places.file))
    throw new Error(`${places.file} does not exist: the first start makes it. Is DATA_DIR right?`);
  if (command === 'rotate') await rotateSigningKey(places, { revoke: options.includes('--revoke') });
  await show(places);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}

async function show(places: KeyPlaces): Promise<void> {
  console.log(`Keys in ${places.signingFile ?? places.file}:`);
  const [signer, ...others] = await usableKeys(await readSigningKeys(places), places.tokenSeconds);
  console.log(`${signer.kid}  ${signer.alg}  signs`);
  for (const { kid, alg, endsAt } of others)
    console.log(`${kid}  ${alg}  verifies${endsAt === null ? '' : ` until ${new Date(endsAt).toISOString()}`}`);
}
