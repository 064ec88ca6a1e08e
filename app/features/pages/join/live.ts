import { answerTo, type Cut, formIn, resultOf, type SplitField } from '#features/splits/model/calculator.ts';
import { calculator as words } from '#features/splits/words/terms.ts';

const ANNOUNCE_DELAY_MS = 700;
const COPIED_MS = 2_000;

const calculator = document.querySelector<HTMLElement>('.calculator')!;
const form = calculator.querySelector('form')!;
const places = calculator.querySelectorAll<HTMLElement>('[data-text], [data-note], [data-cut]');
const status = calculator.querySelector('[data-said]')!;
let announcing: ReturnType<typeof setTimeout> | undefined;

function update(): void {
  const entered = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  const entries = formIn(entered);
  const answer = answerTo(entries);
  const { texts, properties, mine } = resultOf(entries, answer);
  for (const place of places) {
    const { text, note, cut } = place.dataset;
    if (text) place.textContent = texts[text] ?? '';
    if (note) showProblem(place, note, answer.problems[note as SplitField]);
    if (cut) place.toggleAttribute('data-mine', mine.includes(cut as Cut));
  }
  for (const [name, value] of Object.entries(properties)) calculator.style.setProperty(name, value);
  clearTimeout(announcing);
  // Announced when typing pauses, not for every keystroke.
  announcing = setTimeout(() => {
    status.textContent = `${words.yours}: ${texts['total']}. ${texts['ofProfit']}`;
  }, ANNOUNCE_DELAY_MS);
}

function showProblem(note: HTMLElement, field: string, problem: string | undefined): void {
  note.textContent = problem ?? note.dataset['hint']!;
  note.className = problem ? 'field-error' : 'field-hint';
  (form.elements.namedItem(field) as HTMLInputElement).ariaInvalid = problem ? 'true' : null;
}

form.addEventListener('input', update);
update();

document.addEventListener('click', async ({ target }) => {
  const link = (target as Element).closest<HTMLAnchorElement>('.join-link');
  if (!link) return;
  await navigator.clipboard?.writeText(link.href);
  link.dataset['said'] = '';
  setTimeout(() => delete link.dataset['said'], COPIED_MS);
});
