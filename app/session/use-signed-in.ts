import { useEffect, useState } from 'react';
import { onSessionChange, signedIn } from './current-user.ts';

/** Who is signed in: undefined while that is being found out, null for nobody. */
export function useSignedIn() {
  const [user, setUser] = useState<{ id: string; email: string } | null | undefined>();
  useEffect(() => {
    let here = true;
    const look = () => void signedIn().then((found) => here && setUser(found));
    look();
    const stop = onSessionChange(look);
    return () => {
      here = false;
      stop();
    };
  }, []);
  return user;
}
