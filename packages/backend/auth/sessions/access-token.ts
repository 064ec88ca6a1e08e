import { SignJWT } from 'jose';
import { databaseTime } from '../../database/clock.ts';
import type { AuthContext } from '../context.ts';
import type { UserRow } from '../users/user.ts';
import type { Session } from './session.ts';

export async function accessToken(
  { keys, issuer, project }: Pick<AuthContext, 'keys' | 'issuer' | 'project'>,
  user: UserRow,
  session: Session,
): Promise<{ token: string; expiresIn: number; expiresAt: number }> {
  const issuedAt = Math.floor(databaseTime() / 1000);
  const expiresIn = project.auth.jwt_expiry;
  const expiresAt = issuedAt + expiresIn;
  const key = keys.signing[0]!;
  const token = await new SignJWT({
    iss: issuer,
    sub: user.id,
    aud: 'authenticated',
    exp: expiresAt,
    iat: issuedAt,
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    // A database role: never taken from user data.
    role: 'authenticated',
    aal: session.aal,
    amr: session.amr,
    session_id: session.id,
    is_anonymous: user.is_anonymous,
  })
    .setProtectedHeader({ alg: key.alg, typ: 'JWT', kid: key.kid })
    .sign(key.privateKey);
  return { token, expiresIn, expiresAt };
}
