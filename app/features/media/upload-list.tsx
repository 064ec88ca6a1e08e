import { SmallButton } from '#ui/form/button.tsx';
import { keepFocus } from '#ui/form/keep-focus.ts';
import { UploadLimit } from './upload-limit.tsx';
import type { useMediaUploads, useUploads } from './use-uploads.ts';

type Films = Partial<Pick<ReturnType<typeof useMediaUploads>, 'interrupted' | 'forget'>>;
type ShownUploads = Omit<ReturnType<typeof useUploads>, 'add'> & Films;

/** Running and failed uploads, and films whose uploads were interrupted before a reload. */
export const UploadList = ({ uploads: { going, ahead, retry, drop, ...films } }: { uploads: ShownUploads }) => (
  <>
    <UploadLimit ahead={ahead} />
    <ul className="stack gap-3" aria-label="Uploads" ref={keepFocus}>
      {films.interrupted?.map(({ id, name }) => (
        <li className="cluster gap-3 panel edge pad-4" key={id}>
          <span className="basis-12 anywhere grow">
            {name} is not completely uploaded. Choose it again to continue.
          </span>
          <SmallButton variant="quiet" aria-label={`Discard ${name}`} onClick={() => films.forget?.(id)}>
            Discard
          </SmallButton>
        </li>
      ))}
      {going.map((item) => {
        const { id, file, fraction, failure } = item;
        const label = failure ? 'Remove' : 'Cancel';
        return (
          <li className="cluster gap-3 upload" key={id}>
            <span className="basis-12 anywhere shrink">{file.name}</span>
            {failure ? (
              <span className="upload-failure semibold" role="alert">
                Not uploaded. {failure.message}
              </span>
            ) : (
              <progress aria-label={`Upload of ${file.name}`} max={1} value={fraction} />
            )}
            {failure && !failure.final && (
              <SmallButton aria-label={`Try ${file.name} again`} onClick={() => retry(item)}>
                Try again
              </SmallButton>
            )}
            <SmallButton variant="quiet" aria-label={`${label} ${file.name}`} onClick={() => drop(id)}>
              {label}
            </SmallButton>
          </li>
        );
      })}
    </ul>
  </>
);
