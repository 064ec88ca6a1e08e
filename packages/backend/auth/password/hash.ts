import { availableParallelism } from 'node:os';
import { hash, verify as verifyArgon2 } from '@node-rs/argon2';
import { verify as verifyBcrypt } from '@node-rs/bcrypt';
import { Semaphore, shareOf } from '../../http/semaphore.ts';
import { errors } from '../errors.ts';

/** argon2id with OWASP's first choice: 19 MiB, two passes, one lane. About 40 ms of one core. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const OWN_PREFIX = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;
const MAX_WAITING = 64;

const ARGON2 = /^\$argon2id?\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d{1,2})\$[A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{16,}$/;
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const MAX_LENGTH = 255;
/** bcrypt ignores further bytes; the service that made the hash rejected longer passwords. */
const BCRYPT_BYTES = 72;

/** Null when unsupported, or when verifying would cost too much: an imported hash may demand any memory or time. */
export function kindOfHash(stored: string): 'argon2' | 'bcrypt' | null {
  if (stored.length > MAX_LENGTH) return null;
  const argon2 = ARGON2.exec(stored);
  if (argon2) {
    const [memory, time, lanes] = argon2.slice(1).map(Number) as [number, number, number];
    const isAffordable =
      memory >= 8 * lanes && memory <= 262_144 && time >= 1 && time <= 10 && lanes >= 1 && lanes <= 16;
    return isAffordable ? 'argon2' : null;
  }
  const cost = Number(BCRYPT.exec(stored)?.[1] ?? 0);
  return cost >= 4 && cost <= 14 ? 'bcrypt' : null;
}

export const isImportedHash = (stored: string): boolean => !stored.startsWith(OWN_PREFIX);

/** Bounded, so that a burst of sign-ins cannot slow down pages. @throws ApiError 503 when the queue is full */
export class PasswordHasher {
  readonly #slots: Semaphore;
  readonly #dummyHash: Promise<string>;

  constructor(workers = 1) {
    const slots = shareOf(availableParallelism() > 2 ? 2 : 1, workers);
    this.#slots = new Semaphore(slots, { maxWaiting: shareOf(MAX_WAITING, workers, 8) });
    this.#dummyHash = this.hash('placeholder password');
    // Awaited by the first sign-in of an unknown account; an earlier failure must not crash the process.
    this.#dummyHash.catch(() => undefined);
  }

  hash(password: string): Promise<string> {
    return this.#run(() => hash(password, COST));
  }

  /** Takes the same time without a stored hash; bcrypt costs about the same. */
  async matches(password: string, stored: string | null): Promise<boolean> {
    const kind = stored === null ? null : kindOfHash(stored);
    if (kind === 'bcrypt') {
      const isSame = await this.#run(() => verifyBcrypt(password, stored!));
      return isSame && Buffer.byteLength(password) <= BCRYPT_BYTES;
    }
    const hashToCheck = kind === 'argon2' ? stored! : await this.#dummyHash;
    const isSame = await this.#run(() => verifyArgon2(hashToCheck, password));
    return kind === 'argon2' && isSame;
  }

  #run<T>(work: () => Promise<T>): Promise<T> {
    return this.#slots.run(work, errors.busy);
  }
}
