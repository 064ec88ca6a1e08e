import { useRef, useState } from 'react';
import type { Project } from '#features/projects/model/read.ts';
import { tagsProblem, withTag } from '#features/projects/model/tags.ts';
import { EditConflict } from '#lib/data/edit-conflict.ts';
import { isCategory } from '#lib/words/categories.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { CategoryField } from '#ui/form/category-field.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { TagsField } from '#ui/form/tags-field.tsx';
import { requireFields } from '#ui/form/use-submit.ts';
import { useFile } from './review-queries.ts';
import { reviewWords as words } from './words/review.ts';

const FilingForm = defineForm({ fields: { category: { label: 'Category' } }, failed: words.failedToSave });

export function Filing({ experiment }: { experiment: Project }) {
  const [tags, setTags] = useState<string[] | null>(null);
  const stored = [experiment.category, ...experiment.tags].join();
  const [seen, setSeen] = useState(stored);
  if (!tags && seen !== stored) setSeen(stored);
  const button = useRef<HTMLButtonElement>(null);
  const filing = useFile(experiment.id);
  const { say } = useStatus();
  const problem = tags && tagsProblem(tags);

  function close() {
    setTags(null);
    button.current?.focus();
  }

  return (
    <div className="review-filing">
      <SmallButton ref={button} aria-expanded={tags !== null} onClick={() => setTags(tags ? null : experiment.tags)}>
        Correct category and tags
      </SmallButton>
      {tags && (
        <FilingForm
          className="stack gap-above"
          size="admin"
          save={async ({ category }) => {
            requireFields({ tags: problem });
            setSeen(stored);
            if (stored !== seen) throw new EditConflict();
            await filing.mutateAsync({ category: isCategory(category) ? category : null, tags });
          }}
          onSaved={() => {
            say(`Category and tags of “${experiment.title}” are saved.`);
            close();
          }}
          onCancel={close}
          submitLabel="Save category and tags"
          busyLabel="Saving..."
        >
          {() => (
            <>
              <CategoryField autoFocus defaultValue={experiment.category ?? ''} />
              <TagsField
                name="tags"
                tags={tags}
                error={problem}
                onAdd={(typed) => setTags(withTag(tags, typed))}
                onRemove={(tag) => setTags(tags.filter((other) => other !== tag))}
              />
            </>
          )}
        </FilingForm>
      )}
    </div>
  );
}
