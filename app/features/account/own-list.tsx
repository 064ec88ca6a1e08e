import { type ReactNode, useEffect, useState } from 'react';
import { href, useSearchParams } from 'react-router';
import { messageOf } from '#lib/data/api-error.ts';
import { pageFrom, pagesOf, type TablePage } from '#lib/data/page.ts';
import { clients } from '#session/browser.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Button, LinkButton } from '#ui/form/button.tsx';
import '#ui/work-sheet.css';
import './own-list.css';

export interface OwnListWords {
  title: string;
  signIn: string;
  loading: string;
  failed: string;
}

export function OwnList<Page extends TablePage<unknown>>({
  words,
  path,
  read,
  over,
  children,
}: {
  words: OwnListWords;
  path: string;
  read: (data: ReturnType<ReturnType<typeof clients>['data']>, user: string, page: number) => Promise<Page>;
  over?: ReactNode;
  children: (own: Page) => ReactNode;
}) {
  const user = useSignedIn();
  const [address] = useSearchParams();
  const page = pageFrom(address);
  const [own, setOwn] = useState<Page | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  const id = user?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry reads the same page again
  useEffect(() => {
    if (!id) return;
    let here = true;
    setFailure(null);
    read(clients().data(), id, page).then(
      (found) => here && setOwn(found),
      (error) => here && setFailure(messageOf(error, words.failed)),
    );
    return () => {
      here = false;
    };
  }, [id, page, tries]);

  return (
    <div className="sheet own-list">
      <h1>{words.title}</h1>
      {over}
      {user === null ? (
        <>
          <p>{words.signIn}</p>
          <div className="button-row">
            <LinkButton href={`${href('/sign-in')}?next=${path}`}>Sign in</LinkButton>
          </div>
        </>
      ) : failure ? (
        <>
          <Banner kind="error">{failure}</Banner>
          <div className="button-row">
            <Button onClick={() => setTries(tries + 1)}>Try again</Button>
          </div>
        </>
      ) : own ? (
        <>
          {children(own)}
          <Pages page={own.page} last={pagesOf(own.total)} />
        </>
      ) : (
        <Spinner label={words.loading} />
      )}
    </div>
  );
}

const Pages = ({ page, last }: { page: number; last: number }) =>
  last > 1 && (
    <nav className="button-row" aria-label="Pages">
      {page > 1 && (
        <LinkButton variant="secondary" href={`?page=${page - 1}`}>
          Previous
        </LinkButton>
      )}
      <span>
        Page {page} of {last}
      </span>
      {page < last && (
        <LinkButton variant="secondary" href={`?page=${page + 1}`}>
          Next
        </LinkButton>
      )}
    </nav>
  );
