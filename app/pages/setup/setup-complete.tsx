import { useEffect, useState } from 'react';
import { SETUP_REDIRECT, setup } from '../../copy/setup.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';

/** Moves on by itself, unless somebody wants to stay and read the log. */
export function SetupComplete() {
  const [staying, setStaying] = useState(false);
  useEffect(() => {
    if (staying) return;
    const timer = setTimeout(() => location.assign('/admin'), SETUP_REDIRECT);
    return () => clearTimeout(timer);
  }, [staying]);
  return (
    <>
      <Banner kind="success">{setup.complete}</Banner>
      <p>{staying ? 'You are signed in.' : 'You are signed in. The admin area opens in a moment.'}</p>
      <div className="button-row">
        <LinkButton href="/admin">Open the admin area</LinkButton>
        {!staying && (
          <Button variant="secondary" onClick={() => setStaying(true)}>
            Stay here
          </Button>
        )}
      </div>
    </>
  );
}
