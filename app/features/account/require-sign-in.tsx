import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useMemo } from 'react';
import { href, Outlet, useLocation, useMatches, useOutletContext } from 'react-router';
import { privatePage } from '#session/private-page.ts';
import { createQueryCache } from '#session/query-cache.ts';
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
  const user = useSignedIn();
  const { title, signIn, loading, Sheet } = useMatches().at(-1)!.handle as SignInHandle;
  const { pathname } = useLocation();
  // Cached data of the previous user must not be shown to the next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: one cache per user
  const cache = useMemo(createQueryCache, [user?.id]);
  if (user)
    return (
      <QueryClientProvider client={cache} key={user.id}>
        <Outlet context={user} />
      </QueryClientProvider>
    );
  return (
    <Sheet title={title}>
      {user === undefined ? (
        <Spinner label={loading} />
      ) : (
        <>
          <p>{signIn}</p>
          <div className="button-row">
            <LinkButton href={`${href('/sign-in')}?next=${pathname}`}>Sign in</LinkButton>
          </div>
        </>
      )}
    </Sheet>
  );
}
