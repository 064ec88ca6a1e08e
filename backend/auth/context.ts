import type { BackendContext } from '../context.ts';
import type { ClientInfo } from '../http/client-info.ts';
import type { Mail } from '../mail/index.ts';
import type { Sms } from '../sms/index.ts';
import type { PasswordHasher } from './password/hash.ts';
import type { Providers } from './providers/providers.ts';
import type { Rates } from './rates.ts';
import type { UserRow } from './users/user.ts';

/** What every endpoint of this service works with. */
export interface AuthContext extends BackendContext {
  mail: Mail;
  /** Null when the project names nobody who sends messages. */
  sms: Sms | null;
  /** `iss` of access tokens: `{siteUrl}/auth/v1`. */
  issuer: string;
  passwords: PasswordHasher;
  rates: Rates;
  providers: Providers;
  /** Work whose duration must not show in the answer; awaited when the service closes. Failures are logged. */
  later(work: () => Promise<unknown>): void;
}

/** Hono's types for this service. `user`, `sessionId` and `claims` are set by `signedIn`. */
export interface Env {
  Bindings: ClientInfo;
  Variables: {
    identity: AuthContext;
    user: UserRow;
    /** Whether the service key was shown. */
    isService?: true;
    /** Who was refused before becoming `user`. */
    refusedId?: string | null;
    sessionId: string | null;
    /** Milliseconds. */
    signedInAt: number;
    /** How strongly the session is proven now, as its row says. */
    aal: 'aal1' | 'aal2';
  };
}
