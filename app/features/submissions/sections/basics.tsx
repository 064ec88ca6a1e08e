import { tagsProblem, withTag } from '#features/projects/model/tags.ts';
import { LONGEST_LINE } from '#lib/data/limits.ts';
import type { Category } from '#lib/words/categories.ts';
import { CategoryField } from '#ui/form/category-field.tsx';
import { TextField } from '#ui/form/field.tsx';
import { TagsField } from '#ui/form/tags-field.tsx';
import type { SubmissionForm } from '../form/form.ts';
import type { FormState } from '../form/form-state.ts';
import { Sheet } from '../sheet.tsx';
import { submissionWords as words } from '../words/submission.ts';

export function Basics({ state: { submission, failure }, form }: { state: FormState; form: SubmissionForm | null }) {
  return (
    <Sheet number={1} title={words.basics}>
      <TextField
        id="submit-title"
        name="title"
        label={words.title}
        required
        limit={LONGEST_LINE}
        enterKeyHint="next"
        value={submission.title}
        error={failure?.field === 'title' && failure.message}
        onChange={(event) => form?.change({ title: event.target.value })}
      />
      <div className="submit-pair">
        <TextField
          id="submit-client"
          name="client"
          label={words.client}
          hint="Leave it empty if the client is confidential."
          limit={LONGEST_LINE}
          value={submission.client}
          error={failure?.field === 'client' && failure.message}
          onChange={(event) => form?.change({ client: event.target.value })}
        />
        <CategoryField
          hint="Where people will look for it."
          value={submission.category}
          onChange={({ target }) => form?.change({ category: target.value as Category | '' })}
        />
      </div>
      <TagsField
        id="submit-tags"
        tags={submission.tags}
        error={tagsProblem(submission.tags)}
        onAdd={(typed) => {
          const tags = withTag(submission.tags, typed);
          if (tags !== submission.tags) form?.change({ tags });
        }}
        onRemove={(tag) => form?.change({ tags: submission.tags.filter((other) => other !== tag) })}
      />
    </Sheet>
  );
}
