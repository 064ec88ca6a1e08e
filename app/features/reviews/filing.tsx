import { useRef, useState } from 'react';
import type { Project } from '#features/projects/model/read.ts';
import { tagsProblem, withTag } from '#features/projects/model/tags.ts';
import { isCategory } from '#lib/words/categories.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { Button } from '#ui/form/button.tsx';
import { CategoryField } from '#ui/form/category-field.tsx';
import { SaveOrCancel } from '#ui/form/save-or-cancel.tsx';
import { TagsField } from '#ui/form/tags-field.tsx';
import { requireFields, useSubmit } from '#ui/form/use-submit.ts';
import { useFile } from './review-queries.ts';
import { reviewWords as words } from './words/review.ts';

export function Filing({ experiment }: { experiment: Project }) {
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

function FilingForm({ experiment, onClose }: { experiment: Project; onClose: () => void }) {
  const [tags, setTags] = useState(experiment.tags);
  const filing = useFile(experiment.id);
  const { busy, failure, submit } = useSubmit(words.failedToSave);
  const { say } = useStatus();
  const problem = tagsProblem(tags);

  async function save(typed: FormData) {
    requireFields({ tags: problem });
    const category = typed.get('category');
    await filing.mutateAsync({ category: isCategory(category) ? category : null, tags });
  }
  function saved() {
    say(`Category and tags of “${experiment.title}” are saved.`);
    onClose();
  }

  return (
    <form className="stack gap-above" onSubmit={submit(save, saved)}>
      <CategoryField autoFocus defaultValue={experiment.category ?? ''} />
      <TagsField
        name="tags"
        tags={tags}
        error={problem}
        onAdd={(typed) => setTags((known) => withTag(known, typed))}
        onRemove={(tag) => setTags((known) => known.filter((other) => other !== tag))}
      />
      {failure && <Banner kind="error">{failure}</Banner>}
      <SaveOrCancel busy={busy} label={words.saveFiling} onCancel={onClose} />
    </form>
  );
}
