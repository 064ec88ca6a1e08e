import { Link } from 'react-router';

/** Previous, every page number, next; nothing when there is one page. */
export function Pagination({
  pages,
  current,
  addressOf,
}: {
  pages: number[];
  current: number;
  addressOf: (page: number) => string;
}) {
  if (pages.length < 2) return null;
  return (
    <nav className="pagination" aria-label="Pages">
      <Step to={current > 1 ? addressOf(current - 1) : null}>Previous</Step>
      <ol>
        {pages.map((page) => (
          <li key={page}>
            <Link
              to={addressOf(page)}
              preventScrollReset
              aria-label={`Page ${page}`}
              aria-current={page === current ? 'page' : undefined}
            >
              {page}
            </Link>
          </li>
        ))}
      </ol>
      <Step to={current < pages.length ? addressOf(current + 1) : null}>Next</Step>
    </nav>
  );
}

const Step = ({ to, children }: { to: string | null; children: string }) =>
  to === null ? (
    <span className="pagination-step" aria-disabled="true">
      {children}
    </span>
  ) : (
    <Link className="pagination-step" to={to} preventScrollReset>
      {children}
    </Link>
  );
