import { type ComponentProps, type ReactNode, useId, useRef, useState } from 'react';
import { clients } from '#session/browser.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Button } from '#ui/form/button.tsx';
import { askOffers } from '../model/sign-in-methods.ts';

interface AccountPartProps {
  title: string;
  done?: string | null | undefined;
  failure?: string | null | undefined;
  children?: ReactNode;
}

export function AccountPart({ title, done, failure, children }: AccountPartProps) {
  const id = useId();
  return (
    <section className="stack account-part anywhere shrink hairline pad-top-5" aria-labelledby={id}>
      <h2 className="size-1" id={id}>
        {title}
      </h2>
      {/* Always rendered: assistive technology only announces changes of a known region. */}
      <div aria-live="polite">{done && <Banner kind="success">{done}</Banner>}</div>
      {failure && <Banner kind="error">{failure}</Banner>}
      {children}
    </section>
  );
}

export const AccountNote = ({ children }: { children: ReactNode }) => (
  <p className="account-small regular quiet">{children}</p>
);

interface AccountFactProps extends AccountPartProps {
  fact: string;
  change?: string;
  form: (close: (saved?: string) => void) => ReactNode;
}

/** What the account has, with a form to change it. `title` also completes “Change your …”. */
export function AccountFact({ title, fact, change = 'Change', done, failure, form, children }: AccountFactProps) {
  const [open, setOpen] = useState(false);
  const [saved, setSaved] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const close = (saved?: string) => {
    setSaved(saved);
    setOpen(false);
    setTimeout(() => button.current?.focus());
  };
  return (
    <AccountPart title={title} done={saved ?? done} failure={failure}>
      {open ? (
        form(close)
      ) : (
        <div className="gap-4 cluster apart">
          <p className="shrink">{fact}</p>
          <Button ref={button} variant="quiet" onClick={() => setOpen(true)}>
            {change}
            <span className="hidden-text">{` your ${title.toLowerCase()}`}</span>
          </Button>
        </div>
      )}
      {!open && children}
    </AccountPart>
  );
}

interface AccountListProps<Item> extends Pick<ComponentProps<typeof ConfirmDialog>, 'title' | 'busy' | 'busyLabel'> {
  items: readonly Item[];
  rowOf: (item: Item) => { id: string; name: string; detail: string; mark?: ReactNode; removable?: boolean };
  removeLabel: string;
  question: (name: string) => ReactNode;
  onRemove: (item: Item) => Promise<unknown>;
}

/** What the account has several of, each of which can be removed after a question. */
export function AccountList<Item>(props: AccountListProps<Item>) {
  const { items, rowOf, removeLabel, question, onRemove, ...dialog } = props;
  const [leaving, setLeaving] = useState<Item | null>(null);
  const rows = items.map((item) => ({ item, ...rowOf(item) }));
  if (rows.length === 0) return null;
  return (
    <>
      <ul className="stack gap-0 hairline-below">
        {rows.map(({ item, id, name, detail, mark, removable = true }) => (
          <li className="cluster gap-2 gap-x-4 pad-y-3 hairline" key={id}>
            {mark}
            <span className="stack gap-0 basis-12 shrink">
              <strong>{name}</strong>
              <span className="quiet">{detail}</span>
            </span>
            {removable && (
              <Button variant="quiet" onClick={() => setLeaving(item)}>
                {removeLabel}
                <span className="hidden-text"> {name}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        {...dialog}
        open={leaving !== null}
        confirmLabel={removeLabel}
        onCancel={() => setLeaving(null)}
        onConfirm={() => leaving && void onRemove(leaving).then(() => setLeaving(null))}
      >
        {leaving && question(rowOf(leaving).name)}
      </ConfirmDialog>
    </>
  );
}

export const offersQuery = { queryKey: ['offers'], queryFn: () => askOffers(clients()) };
