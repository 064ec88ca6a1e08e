import { useEffect, useState } from 'react';
import { Button, LinkButton } from '../form/button.tsx';
import { Banner } from './banner.tsx';

/** Says what succeeded and moves on by itself, unless somebody wants to stay and read. */
export function RedirectNotice({
  message,
  to,
  after,
  label,
}: {
  message: string;
  /** A path on our own origin. */
  to: string;
  /** In ms. */
  after: number;
  /** What the link to `to` says. */
  label: string;
}) {
  const [staying, setStaying] = useState(false);
  useEffect(() => {
    if (staying) return;
    const timer = setTimeout(() => location.assign(to), after);
    return () => clearTimeout(timer);
  }, [staying, to, after]);
  return (
    <>
      <Banner kind="success">{message}</Banner>
      <div className="button-row">
        <LinkButton href={to}>{label}</LinkButton>
        {!staying && (
          <Button variant="secondary" onClick={() => setStaying(true)}>
            Stay here
          </Button>
        )}
      </div>
    </>
  );
}
