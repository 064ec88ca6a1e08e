import { QueryClientProvider } from '@tanstack/react-query';
import { Activity, type ComponentType, type ReactNode, useMemo, useRef } from 'react';
import { href, Outlet, useLocation, useMatches, useOutletContext } from 'react-router';
import { privatePage } from '#lib/page-headers.ts';
import { createQueryCache } from '#session/query-cache.ts';
import { hasStoredSession } from '#session/stored.ts';
import { type User, useSignedIn } from '#session/use-signed-in.ts';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { LinkButton } from '#ui/form/button.tsx';

/** Every route behind `signedIn` exports this as its `handle`: the page while the user is unknown. */
export interface SignInHandle {
  title: string;
  signIn: string;
  loading: string;
  Sheet: ComponentType<{ title: string; children: ReactNode }>;
}

export const headers = () => privatePage;

export const useUser = (): User => useOutletContext<User>();

/** The guard `signedIn` of the route table. Only decides what is shown: the database enforces rights. */
export default function RequireSignIn() {
  const current = useSignedIn();
  const last = useRef(current);
  if (current) last.current = current;
  const user = last.current;
  const isSignedIn = current || (user && hasStoredSession());
  const { title, signIn, loading, Sheet } = useMatches().at(-1)!.handle as SignInHandle;
  const { pathname } = useLocation();
  // Cached data of the previous user must not be shown to the next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: one cache per user
  const cache = useMemo(createQueryCache, [user?.id]);
  return (
    <>
      {/* What is typed is kept when the session ends. */}
      {user && (
        <Activity mode={isSignedIn ? 'visible' : 'hidden'} key={user.id}>
          <QueryClientProvider client={cache}>
            <Outlet context={user} />
          </QueryClientProvider>
        </Activity>
      )}
      {!isSignedIn && (
        <Sheet title={title}>
          {current === undefined ? (
            <Spinner label={loading} />
          ) : (
            <>
              <p>
                {signIn}
                {user && ' The page opens in a new tab, so that what you typed here is not lost.'}
              </p>
              <div className="button-row">
                <LinkButton href={`${href('/sign-in')}?next=${pathname}`} target={user ? '_blank' : undefined}>
                  Sign in
                </LinkButton>
              </div>
            </>
          )}
        </Sheet>
      )}
    </>
  );
}
