import type { AuthContext } from '../context.ts';
import type { UserRow } from '../users/user.ts';
import { isForeignHash } from './hash.ts';

/** Rehashes an imported password after a successful sign-in, in the background; skipped if it was changed meanwhile. */
export function replaceForeignHash(identity: AuthContext, user: UserRow, password: string): void {
  const { db, passwords, later } = identity;
  const stored = user.encrypted_password;
  if (!stored || !isForeignHash(stored)) return;
  later(async () => {
    const own = await passwords.hash(password);
    await db.query('update auth.users set encrypted_password = $2 where id = $1 and encrypted_password = $3', [
      user.id,
      own,
      stored,
    ]);
  });
}
