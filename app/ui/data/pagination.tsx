import { type FormEvent, useId } from 'react';
import { Link, useNavigate } from 'react-router';
import { shownPages } from '#lib/data/page.ts';
import { SmallButton } from '../form/button.tsx';
import { keepFocus } from '../form/keep-focus.ts';
import './pagination.css';

type PagePosition = { pages: number; current: number; addressOf: (page: number) => string };

/** @param said null for an empty list, whose own message is visible */
export const ListFoot = ({ said, ...place }: PagePosition & { said: string | null }) => (
  <div className="cluster apart pad-top-4">
    <p aria-live="polite" className={said === null ? 'hidden-text' : undefined}>
      {said ?? 'No results'}
    </p>
    <Pagination {...place} />
  </div>
);

export function Pagination({ pages, current, addressOf }: PagePosition) {
  if (pages < 2) return null;
  const shown = shownPages(pages, current);
  return (
    <nav className="cluster gap-1 pagination" aria-label="Pages" ref={keepFocus}>
      <Step to={current > 1 ? addressOf(current - 1) : null}>Previous</Step>
      <ol className="cluster gap-1">
        {shown.map((page, index) => (
          <li key={page} data-gap={(index > 0 && page - shown[index - 1]! > 1) || undefined}>
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
      <Step to={current < pages ? addressOf(current + 1) : null}>Next</Step>
      {shown.length < pages && <Jump pages={pages} current={current} addressOf={addressOf} />}
    </nav>
  );
}

const Step = ({ to, children }: { to: string | null; children: string }) =>
  to === null ? (
    <span className="pagination-step quiet" aria-disabled="true">
      {children}
    </span>
  ) : (
    <Link className="pagination-step" to={to} preventScrollReset>
      {children}
    </Link>
  );

function Jump({ pages, current, addressOf }: PagePosition) {
  const id = useId();
  const navigate = useNavigate();
  const goToPage = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const page = Number(new FormData(event.currentTarget).get('page'));
    void navigate(addressOf(page), { preventScrollReset: true });
  };
  return (
    <form className="cluster gap-1 pagination-jump" key={current} onSubmit={goToPage}>
      <label htmlFor={id}>Page</label>
      <input
        className="field-input"
        id={id}
        name="page"
        type="number"
        inputMode="numeric"
        required
        min={1}
        max={pages}
        defaultValue={current}
      />
      of {pages}
      <SmallButton type="submit">Go</SmallButton>
    </form>
  );
}
