import { useEffect, useState } from 'react';
import { href } from 'react-router';
import { Button, LinkButton } from '../form/button.tsx';
import { Banner } from './banner.tsx';

/** To the admin area. @param after in ms */
export function RedirectNotice({ message, after = 3000 }: { message: string; after?: number }) {
  const [staying, setStaying] = useState(false);
  useEffect(() => {
    if (staying) return;
    const timer = setTimeout(() => location.assign(href('/admin')), after);
    return () => clearTimeout(timer);
  }, [staying, after]);
  return (
    <>
      <Banner kind="success">{message}</Banner>
      <div className="button-row">
        <LinkButton href={href('/admin')}>Open the admin area</LinkButton>
        {!staying && (
          <Button variant="secondary" onClick={() => setStaying(true)}>
            Stay here
          </Button>
        )}
      </div>
    </>
  );
}
