import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { type OwnConfig, ownBackendConfig } from '../config/config.ts';
import { readProject } from '../config/supabase-config.ts';
import { openDatabase } from '../database/open-database.ts';
import { type KeyPlaces, keyPlaces, readKeyFile, readSigningKeys } from './key-file.ts';
import { rotateSigningKey } from './key-rotation.ts';
import { loadKeys } from './keys.ts';
import { adoptKeys } from './keys-match-database.ts';
import { addServiceKey, readKeyUses, revokeServiceKey, serviceKeys } from './service-keys.ts';
import { usableKeys } from './signing-key.ts';

const USAGE = `Usage:
  npm run keys -- list                shows the keys that sign and verify access tokens, and the service keys
  npm run keys -- add NAME            creates a service key and shows it once
  npm run keys -- end NAME            revokes that key; "server" is the server’s own, which is replaced
  npm run keys -- rotate              a new key signs, the old ones verify until their tokens expire
  npm run keys -- rotate --revoke     a new key signs, the old ones are revoked immediately
  npm run keys -- adopt               makes these the installation’s keys when the original ones are lost
  npm run keys -- saml                prints the private SAML key, for openssl`;

const [command = 'list', ...args] = process.argv.slice(2);
try {
  const config = await ownBackendConfig();
  const places = keyPlaces(config, await readProject(config.backend.supabaseDir));
  // Keys outside DATA_DIR may be created before the first start.
  if (places.file === join(config.dataDir, 'keys.json') && !existsSync(places.file))
    throw new Error(`${places.file} does not exist: the first start creates it. Check DATA_DIR.`);
  await run(places, config);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}

async function run(places: KeyPlaces, config: OwnConfig): Promise<void> {
  const [name, ...rest] = args;
  if (command === 'add' && name && !rest.length) console.log(await addServiceKey(places.file, name));
  else if (command === 'end' && name && !rest.length) {
    if (name === 'server' && config.backend.secretKey)
      throw new Error('SUPABASE_SECRET_KEY replaces the key named "server". Change it and restart instead.');
    await revokeServiceKey(places.file, name);
    console.log(`The service key "${name}" is revoked.`);
  } else if (command === 'rotate' && !rest.length && (!name || name === '--revoke')) {
    await rotateSigningKey(places, { revoke: name === '--revoke' });
    await showSigningKeys(places);
  } else if (command === 'adopt' && !name) {
    await using db = await openDatabase(config.backend.database, { log: pino({ level: 'silent' }) });
    await adoptKeys(db, await loadKeys(places.file, config.backend, places));
    console.log(`The keys in ${places.file} become the installation’s keys at the next start.`);
  } else if (command === 'saml' && !name) process.stdout.write((await readKeyFile(places.file, ['saml'])).saml!);
  else if (command === 'list' && !name) {
    await showSigningKeys(places);
    await showServiceKeys(places, config);
  } else throw new Error(USAGE);
}

async function showSigningKeys(places: KeyPlaces): Promise<void> {
  console.log(`Keys in ${places.signingFile ?? places.file}:`);
  const [signer, ...others] = await usableKeys(await readSigningKeys(places), places.tokenSeconds);
  console.log(`${signer.kid}  ${signer.alg}  signs`);
  for (const { kid, alg, endsAt } of others)
    console.log(`${kid}  ${alg}  verifies${endsAt === null ? '' : ` until ${new Date(endsAt).toISOString()}`}`);
}

async function showServiceKeys({ file }: KeyPlaces, config: OwnConfig): Promise<void> {
  const uses = await lastUses(config);
  console.log(`Service keys in ${file}:`);
  for (const { name, madeAt, endedAt } of await serviceKeys(file)) {
    const created = madeAt ? `made ${madeAt}` : 'made with the file';
    const lastUse = uses?.get(name)?.replace(/:\d\d\.\d+Z$/, 'Z') ?? 'never';
    const used = uses ? lastUse : 'unknown, the database is unreachable';
    console.log(`${name}  ${created}  last used ${used}${endedAt ? `  ended ${endedAt}` : ''}`);
  }
  if (config.backend.secretKey) console.log('SUPABASE_SECRET_KEY replaces the key named "server".');
}

async function lastUses({ dataDir, backend: { database } }: OwnConfig): Promise<Map<string, string> | null> {
  if (database.kind === 'embedded') return readKeyUses({ db: null, dataDir });
  await using db = await openDatabase(database, { log: pino({ level: 'silent' }) }).catch(() => null);
  return db && (await readKeyUses({ db, dataDir }).catch(() => null));
}
