import { useEffect, useRef } from 'react';
import { Banner } from '#ui/feedback/banner.tsx';
import type { FormFailure } from './form/form-state.ts';
import { tileId } from './sections/media-tile.tsx';

export function Failure({ failure }: { failure: FormFailure | null }) {
  const place = useRef<HTMLDivElement>(null);
  const attempt = failure?.attempt;
  useEffect(() => {
    if (!attempt) return;
    scrollTo({ top: 0 });
    place.current?.focus({ preventScroll: true });
  }, [attempt]);
  return (
    <div ref={place} className="submit-failure" tabIndex={-1}>
      {failure && (
        <Banner kind="error">
          {failure.message} {failure.field && <WayThere failure={failure} />}
        </Banner>
      )}
    </div>
  );
}

function WayThere({ failure: { field, item } }: { failure: FormFailure }) {
  const id = item === undefined ? `submit-${field}` : tileId(item);
  return (
    <a
      href={`#${id}`}
      onClick={(event) => {
        event.preventDefault();
        const place = document.getElementById(id);
        (place?.querySelector<HTMLElement>('[aria-invalid]') ?? place)?.focus();
      }}
    >
      Go there
    </a>
  );
}
