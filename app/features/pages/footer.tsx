import type { ComponentProps } from 'react';
import { href } from 'react-router';
import { useContent } from '#context/use-content.ts';
import { useFacts } from '#context/use-facts.ts';
import { type Agency, legalLinks, mailLink, phoneLink } from '#lib/words/agency.ts';
import { Wordmark } from '#ui/brand-mark.tsx';
import { framePage } from './words/frame.ts';

/** These pages contain the contact details themselves. */
const PATHS_WITH_CONTACT = [href('/'), href('/contact')];

interface LinksProps extends ComponentProps<'a'> {
  links: readonly { label: string; href: string }[];
}

const Links = ({ links, ...rest }: LinksProps) =>
  links.map(({ label, href: to }) => (
    <li key={to}>
      <a href={to} {...rest}>
        {label}
      </a>
    </li>
  ));

export const Footer = ({ path }: { path: string }) => {
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
            <address className="footer-address stack gap-0">
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
