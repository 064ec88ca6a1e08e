import {
  answerTo,
  formIn,
  havePaise,
  inRupees,
  partOf,
  percentOfWhole,
  type SplitField,
  type SplitLine,
  sumOfLines,
} from '#features/splits/model/calculator.ts';
import { calculator as words } from '#features/splits/words/terms.ts';

const UNTIL_SAID_MS = 700;
const SHOWN_MS = 2_000;

const calculator = document.querySelector('.calculator')!;
const form = calculator.querySelector('form')!;
const one = <E extends HTMLElement>(selector: string) => calculator.querySelector<E>(selector)!;
const write = (selector: string, text: string) => {
  for (const place of calculator.querySelectorAll(selector)) place.textContent = text;
};

let said: ReturnType<typeof setTimeout> | undefined;

/** The same result as on the server, written into its markup. */
function show(): void {
  const entered = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  const entries = formIn(entered);
  const { problems, lines } = answerTo(entries);
  for (const input of form.querySelectorAll<HTMLInputElement>('[aria-describedby]'))
    showProblem(input, problems[input.name as SplitField]);
  write('.calculator-investors', `${entries.investors}%`);
  one('[data-to-manager]').hidden = entries.idea !== 'nobody';
  showLines(lines);
}

function showProblem(input: HTMLInputElement, problem: string | undefined): void {
  const note = document.getElementById(`${input.name}-note`)!;
  note.textContent = problem ?? note.dataset['hint']!;
  note.className = problem ? 'field-error' : 'field-hint';
  if (problem) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

function showLines(lines: SplitLine[] | null): void {
  const paise = lines !== null && havePaise(lines);
  const total = lines ? inRupees(sumOfLines(lines, 'mine'), paise) : '–';
  const ofProfit = lines ? words.ofProfit(percentOfWhole(lines)) : words.unknown;
  write('[data-sum="mine"]', total);
  write('[data-sum="amount"]', lines ? inRupees(sumOfLines(lines, 'amount'), paise) : '–');
  write('[data-of-profit]', ofProfit);
  one('.calculator-sum').style.setProperty('--letters', String(total.length));
  for (const row of calculator.querySelectorAll<HTMLElement>('[data-cut]')) {
    const line = lines?.find(({ cut }) => cut === row.dataset['cut']);
    const cell = (name: string, text: string) => {
      row.querySelector(`[data-cell="${name}"]`)!.textContent = text;
    };
    cell('percent', line ? `${line.percent}%` : '–');
    cell('amount', line ? inRupees(line.amount, paise) : '–');
    cell('mine', line ? inRupees(line.mine, paise) : '–');
    row.toggleAttribute('data-mine', line !== undefined && line.mine > 0n);
    const piece = one(`[data-strip="${row.dataset['cut']}"]`);
    if (line) piece.style.flexGrow = String(line.percent);
    piece.querySelector<HTMLElement>('.calculator-ink')!.style.width = `${line ? partOf(line) : 0}%`;
  }
  clearTimeout(said);
  // Announced when typing pauses, not for every keystroke.
  said = setTimeout(() => write('[data-said]', `${words.yours}: ${total}. ${ofProfit}`), UNTIL_SAID_MS);
}

form.addEventListener('input', show);
show();

document.addEventListener('click', async ({ target }) => {
  const link = (target as Element).closest<HTMLAnchorElement>('.join-link');
  if (!link) return;
  await navigator.clipboard?.writeText(link.href);
  link.dataset['said'] = '';
  setTimeout(() => delete link.dataset['said'], SHOWN_MS);
});
