import { type RefObject, useState } from 'react';
import type { EditorPlace } from '#ui/editor/editor-place.ts';
import { focusField } from '#ui/form/use-submit.ts';
import { type SubmissionText, TEXTS } from './model/submission.ts';
import type { SubmissionFailure } from './model/submission-state.ts';

export type FormPlace = EditorPlace & { text: SubmissionText };

export const altId = (item: string) => `alt-${item}`;

/** Moves the focus to a field of the form; editors focus themselves when `place` changes. */
export function useFormFocus(form: RefObject<HTMLFormElement | null>) {
  const [place, setPlace] = useState<FormPlace | null>(null);
  const goToControl = (id?: string) => focusField(form.current, id)?.scrollIntoView({ block: 'center' });

  return {
    place,
    // A new object for each click, so that a second click works.
    goToText: (to: FormPlace) => setPlace({ ...to }),
    goToAlt: (item: string) => goToControl(altId(item)),
    goToFailure({ field }: SubmissionFailure) {
      const text = TEXTS.find((name) => name === field);
      if (text) setPlace({ text, kind: 'text', at: 0 });
      else goToControl();
    },
  };
}
