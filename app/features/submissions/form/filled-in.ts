import { isCategory } from '#lib/words/categories.ts';
import { paragraphsOf } from '#ui/editor/plain-text.ts';
import { type Submission, TEXTS } from '../model/submission.ts';

export function filledInBefore(form: FormData): Partial<Submission> {
  const filledIn: Partial<Submission> = {};
  for (const name of ['title', 'client', 'contact'] as const) {
    const text = String(form.get(name) ?? '');
    if (text) filledIn[name] = text;
  }
  const category = form.get('category');
  if (isCategory(category)) filledIn.category = category;
  for (const name of TEXTS) {
    const html = paragraphsOf(String(form.get(name) ?? ''));
    if (html) filledIn[name] = html;
  }
  return filledIn;
}
