import { useWrite } from '#session/use-write.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { verbatim } from '#ui/form/confirm-field.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { keepFocus } from '#ui/form/keep-focus.ts';
import { Lines } from '#ui/layout/lines.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { type EditedPage, MAX_PATH_LENGTH, movePage } from './model/pages.ts';
import { pagesChanged } from './page-queries.ts';
import { pageEditor as words } from './words.ts';

export const addressField = {
  label: words.addressLabel,
  hint: 'A slash, then small letters, digits and hyphens, such as /open-studio.',
  required: true,
  ...verbatim,
  maxLength: MAX_PATH_LENGTH,
} as const;

const Fields = defineForm({
  fields: { path: addressField },
  check: ({ path }) => ({ path: !path && 'Please enter an address' }),
  failed: 'The page keeps its address.',
  inWords: words.reasonOf,
  fieldOf: (failure) => (/\baddress\b/i.test(failure) ? 'path' : null),
});

export function Address({ page: { id, path, live, redirects } }: { page: EditedPage }) {
  const { say } = useStatus();
  const moving = useWrite((data, path: string) => movePage(data, id, path), pagesChanged);
  return (
    <TitledSection ref={keepFocus} titleId="page-address" title={words.addressLabel}>
      <div className="form-stack">
        <p>
          {live
            ? 'A new address applies at once. The old one leads readers to it, so links to the page keep working.'
            : 'The page is not published yet, so nothing leads to its old address.'}{' '}
          Change the menu, too, if it names the page.
        </p>
        <Fields
          key={path}
          size="admin"
          start={{ path: path ?? '' }}
          // The new address replaces this form before it could report.
          save={({ path }) => moving.mutateAsync(path).then(() => say(`The address is ${path} now.`))}
          submitLabel="Change address"
          submit={{ variant: 'secondary' }}
        />
        {redirects.length > 0 && (
          <div>
            <h3>Former addresses that lead here</h3>
            <ul className="anywhere">
              <Lines of={redirects} />
            </ul>
          </div>
        )}
      </div>
    </TitledSection>
  );
}
