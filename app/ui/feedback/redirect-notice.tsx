import { useEffect, useState } from 'react';
import { Button, LinkButton } from '../form/button.tsx';
import { Banner } from './banner.tsx';

export function RedirectNotice({
  message,
  to,
  after,
  label,
}: {
  message: string;
  to: string;
  after: number;
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
