import type { AuthContext } from '../context.ts';
import type { UserRow } from '../users/user.ts';
import { isForeignHash } from './hash.ts';

/**
 * Puts a hash of ours in the place of one that came with an import, once somebody has shown the password. In the
 * background; a password that was changed meanwhile stays.
 */
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
