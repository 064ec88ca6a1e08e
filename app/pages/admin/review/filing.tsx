import { useRef, useState } from 'react';
import { reviewWords as words } from '../../../copy/admin/review.ts';
import { type Category, isCategory } from '../../../copy/categories.ts';
import { messageOf } from '../../../models/data/api-error.ts';
import type { Experiment } from '../../../models/portfolio/experiment.ts';
import { tagsProblem, withTag } from '../../../models/submission/submission.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { CategoryField } from '../../../ui/form/category-field.tsx';
import { TagsField } from '../../../ui/form/tags-field.tsx';
import { useStatus } from '../shell/status.tsx';
import { useFile } from './review-queries.ts';

/** Puts right what a submission is filed under, without sending it back. */
export function Filing({ experiment }: { experiment: Experiment }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <div className="review-filing">
      <Button
        ref={button}
        variant="secondary"
        size="admin"
        aria-expanded={open}
        onClick={() => setOpen((before) => !before)}
      >
        {words.file}
      </Button>
      {open && (
        <FilingForm
          experiment={experiment}
          onClose={() => {
            setOpen(false);
            button.current?.focus();
          }}
        />
      )}
    </div>
  );
}

function FilingForm({ experiment, onClose }: { experiment: Experiment; onClose: () => void }) {
  const [category, setCategory] = useState<Category | ''>(isCategory(experiment.category) ? experiment.category : '');
  const [tags, setTags] = useState(experiment.tags);
  const filing = useFile(experiment.id);
  const { say } = useStatus();
  const problem = tagsProblem(tags);
  return (
    <form
      className="review-note-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem || filing.isPending) return;
        filing.mutate(
          { category: category || null, tags },
          {
            onSuccess() {
              say(words.filed(experiment.title));
              onClose();
            },
          },
        );
      }}
    >
      <CategoryField autoFocus value={category} onChoose={setCategory} />
      <TagsField
        tags={tags}
        error={problem}
        onAdd={(typed) => setTags((known) => withTag(known, typed))}
        onRemove={(tag) => setTags((known) => known.filter((other) => other !== tag))}
      />
      {filing.error && <Banner kind="error">{messageOf(filing.error, words.failedToSave)}</Banner>}
      <div className="button-row">
        <Button type="submit" size="admin" busy={filing.isPending} busyLabel="Saving...">
          {words.saveFiling}
        </Button>
        <Button variant="secondary" size="admin" disabled={filing.isPending} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
