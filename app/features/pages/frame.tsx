import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Footer } from './footer.tsx';
import { TopBar } from './top-bar.tsx';

export function Frame({
  account,
  footer,
  label,
  children,
}: {
  account?: ReactNode;
  footer?: ReactNode;
  label?: string;
  children: ReactNode;
}) {
  const { pathname } = useLocation();
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <TopBar path={pathname} account={account} />
      <main id="main" tabIndex={-1} aria-label={label}>
        {children}
      </main>
      {footer ?? <Footer path={pathname} />}
    </>
  );
}
