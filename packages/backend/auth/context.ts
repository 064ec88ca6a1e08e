import type { Context } from 'hono';
import type { BackendContext } from '../context.ts';
import type { Sms } from '../hooks/sms-hook.ts';
import type { ClientInfo } from '../http/client-info.ts';
import type { Mail } from '../mail/index.ts';
import type { PasswordHasher } from './password/hash.ts';
import type { Providers } from './providers/providers.ts';
import type { Rates } from './rates.ts';
import type { UserRow } from './users/user.ts';

export interface AuthContext extends BackendContext {
  mail: Mail;
  sms: Sms | null;
  issuer: string;
  passwords: PasswordHasher;
  rates: Rates;
  providers: Providers;
  /** Runs work whose duration must not affect the response time; awaited on close. Failures are logged. */
  later(work: () => Promise<unknown>): void;
}

export interface Env {
  Bindings: ClientInfo;
  Variables: {
    identity: AuthContext;
    user: UserRow;
    isService?: true;
    /** User id of a token that was refused before `user` was set. */
    refusedId?: string | null;
    sessionId: string | null;
    /** Milliseconds since 1970. */
    signedInAt: number;
    aal: 'aal1' | 'aal2';
  };
}

export type AuthRequest = Context<Env>;
