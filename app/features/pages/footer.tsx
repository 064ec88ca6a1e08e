import { href } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { legalLinks, mailLink, navigation, phoneLink } from '#lib/words/agency.ts';
import { Wordmark } from '#ui/brand-mark.tsx';

/** These pages have a contact block of their own. */
const WITH_CONTACT = [href('/'), href('/contact')];

export const Footer = ({ path }: { path: string }) => {
  const { agency } = useFacts();
  return (
    <footer className="footer on-ink">
      <div className="footer-columns gutter stack sheet">
        <nav aria-labelledby="footer-quick">
          <h2 id="footer-quick">Quick links</h2>
          <ul>
            {navigation.map(({ label, href: to }) => (
              <li key={to}>
                <a href={to}>{label}</a>
              </li>
            ))}
            <li>
              <a href={href('/ai-jewelry-masterclass')}>Masterclass</a>
            </li>
          </ul>
        </nav>
        <div>
          <h2>Follow us</h2>
          <ul>
            {agency.social.map(({ name, href: to }) => (
              <li key={name}>
                <a href={to} target="_blank" rel="noopener noreferrer">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </div>
        {WITH_CONTACT.includes(path) || (
          <div className="footer-contact across">
            <h2>Contact</h2>
            <ul>
              <li>
                <a href={mailLink(agency)}>{agency.email}</a>
              </li>
              <li>
                <a href={phoneLink(agency)}>{agency.phone}</a>
              </li>
            </ul>
            <address className="footer-address stack gap-0">
              {agency.address.map((line) => (
                <span key={line}>{line}</span>
              ))}
            </address>
          </div>
        )}
        <div>
          <h2>Legal</h2>
          <ul>
            {legalLinks.map(({ label, href: to }) => (
              <li key={to}>
                <a href={to}>{label}</a>
              </li>
            ))}
            <li>
              <a href={href('/sign-in')}>Sign in</a>
            </li>
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

/** In one line, for forms and account pages. */
export const CompactFooter = () => {
  const { agency } = useFacts();
  const links = [
    { label: agency.email, href: mailLink(agency) },
    { label: agency.phone, href: phoneLink(agency) },
    ...legalLinks,
  ];
  return (
    <footer className="footer on-ink">
      <ul className="cluster footer-line sheet">
        {links.map(({ label, href: to }) => (
          <li key={to}>
            <a href={to}>{label}</a>
          </li>
        ))}
      </ul>
    </footer>
  );
};
