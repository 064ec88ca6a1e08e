import { answerTo, type Cut, formIn, resultOf, type SplitField } from '#features/splits/model/calculator.ts';
import { calculator as words } from '#features/splits/words/terms.ts';

let announceTimer: ReturnType<typeof setTimeout> | undefined;

document.addEventListener('input', ({ target }) => calculate((target as HTMLInputElement).form));
for (const form of document.forms) calculate(form);

document.addEventListener('click', async ({ target }) => {
  const link = (target as Element).closest<HTMLAnchorElement>('.join-link');
  // The clipboard needs TLS.
  if (!link || !navigator.clipboard) return;
  await navigator.clipboard.writeText(link.href);
  link.dataset['said'] = '';
  setTimeout(() => delete link.dataset['said'], 2_000);
});

function calculate(form: HTMLFormElement | null): void {
  const calculator = form?.closest<HTMLElement>('.calculator');
  if (!form || !calculator) return;
  const entries = formIn(new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])));
  const answer = answerTo(entries);
  const { texts, properties, mine } = resultOf(entries, answer);
  for (const [name, value] of Object.entries(properties)) calculator.style.setProperty(name, value);
  for (const place of calculator.querySelectorAll<HTMLElement>('[data-text], [data-note], [data-cut], [data-said]')) {
    const { text, note, cut, said } = place.dataset;
    if (said !== undefined) {
      clearTimeout(announceTimer);
      const announce = () => (place.textContent = `${words.yours}: ${texts['total']}. ${texts['ofProfit']}`);
      announceTimer = setTimeout(announce, 700);
    }
    if (text) place.textContent = texts[text] ?? '';
    if (cut) place.toggleAttribute('data-mine', mine.includes(cut as Cut));
    if (!note) continue;
    const problem = answer.problems[note as SplitField];
    place.textContent = problem ?? place.dataset['hint']!;
    place.className = problem ? 'field-error' : 'field-hint';
    (form.elements.namedItem(note) as HTMLInputElement).ariaInvalid = problem ? 'true' : null;
  }
}
