import { useEffect, useState } from 'react';
import { type User, watchUser } from './watch-user.ts';

/** Who is signed in: undefined while that is being found out, null for nobody. */
export function useSignedIn() {
  const [user, setUser] = useState<User | null | undefined>();
  useEffect(() => watchUser(setUser), []);
  return user;
}
