import type { ComponentProps, ReactNode } from 'react';
import { href, useLocation } from 'react-router';
import { useContent, useFacts } from '#context/use-facts.ts';
import { type Agency, legalLinks, mailLink, phoneLink } from '#lib/words/agency.ts';
import { BrandMark, Wordmark } from '#ui/brand-mark.tsx';
import { Icon } from '#ui/icon.tsx';
import { framePage } from './words/frame.ts';

type FrameProps = { account?: ReactNode; footer?: ReactNode; label?: string; children: ReactNode };

export function Frame({ account, footer, label, children }: FrameProps) {
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

/** A row on wide screens, a popover on narrow ones; works without a script. */
const TopBar = ({ path, account }: { path: string; account?: ReactNode }) => {
  const { agency } = useFacts();
  const { menu } = useContent(framePage);
  return (
    <header className="top-bar paper" style={{ fontSize: `${barSize(menu)}rem` }}>
      <div className="top-bar-row inline gap-5 sheet">
        <a className="top-bar-brand plain" href={href('/')} aria-label={agency.name}>
          <BrandMark {...agency} />
        </a>
        <button className="menu-button tap gap-2" type="button" popoverTarget="menu">
          <Icon name="menu" />
          Menu
        </button>
        <div className="menu" id="menu" popover="auto">
          <nav aria-label="Main">
            <ul className="menu-links inline semibold one-line">
              {menu.map(({ label, href: to }) => (
                <li key={to}>
                  <a href={to} aria-current={isCurrent(to, path) ? 'page' : undefined}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <p className="menu-contact cluster">
            <a className="ink" href={phoneLink(agency)}>
              {agency.phone}
            </a>
            <a className="ink" href={mailLink(agency)}>
              {agency.email}
            </a>
          </p>
          <div className="account" id="account">
            {account ?? (
              <a className="tap semibold one-line plain quiet marked" href={href('/sign-in')}>
                Sign in
              </a>
            )}
          </div>
        </div>
      </div>
    </header>
  );
};

/** Width of the bar with all entries in a row, in widths of the built-in one of 1056 px. */
const barSize = (menu: readonly { label: string }[]) =>
  Math.max(1, menu.reduce((width, { label }) => width + 32 + 9 * label.length, 342) / 1056);

const isCurrent = (to: string, path: string) =>
  to === path || (to !== href('/') && !to.includes('#') && path.startsWith(`${to}/`));

const PATHS_WITH_CONTACT = [href('/'), href('/contact')];

const Links = ({ links, ...rest }: ComponentProps<'a'> & { links: readonly { label: string; href: string }[] }) =>
  links.map(({ label, href: to }) => (
    <li key={to}>
      <a href={to} {...rest}>
        {label}
      </a>
    </li>
  ));

const Footer = ({ path }: { path: string }) => {
  const { agency } = useFacts();
  const { menu, footer } = useContent(framePage);
  const social = agency.social.map(({ name, href: to }) => ({ label: name, href: to }));
  return (
    <footer className="footer on-ink">
      <div className="footer-columns gutter stack sheet">
        <nav aria-labelledby="footer-quick">
          <h2 id="footer-quick">{footer.quick}</h2>
          <ul>
            <Links links={[...menu, ...footer.more]} />
          </ul>
        </nav>
        <div>
          <h2>{footer.follow}</h2>
          <ul>
            <Links links={social} target="_blank" rel="noopener noreferrer" />
          </ul>
        </div>
        {PATHS_WITH_CONTACT.includes(path) || (
          <div className="across">
            <h2>{footer.contact}</h2>
            <ul>
              <Links links={contactOf(agency)} />
            </ul>
            <address className="above-3 stack gap-0">
              {agency.address.map((line) => (
                <span key={line}>{line}</span>
              ))}
            </address>
          </div>
        )}
        <div>
          <h2>{footer.legal}</h2>
          <ul>
            <Links links={[...legalLinks, { label: 'Sign in', href: href('/sign-in') }]} />
          </ul>
        </div>
      </div>
      <div className="ink-bar" aria-hidden="true" />
      <p className="footer-mark one-line above-6" aria-hidden="true">
        <Wordmark name={agency.name} />
      </p>
    </footer>
  );
};

const contactOf = (agency: Agency) => [
  { label: agency.email, href: mailLink(agency) },
  { label: agency.phone, href: phoneLink(agency) },
];

/** One-line footer of account pages and short forms. */
export const CompactFooter = () => (
  <footer className="footer on-ink">
    <ul className="cluster footer-line gap-2 gap-x-5 anywhere sheet">
      <Links links={[...contactOf(useFacts().agency), ...legalLinks]} />
    </ul>
  </footer>
);
