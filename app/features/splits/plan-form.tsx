import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useFacts } from '#context/use-facts.ts';
import { useRestoredInput, useStoredInput } from '#features/projects/conflict/use-unsaved.ts';
import { EditConflict, reasonOf } from '#lib/data/api-error.ts';
import { newId } from '#lib/data/ids.ts';
import { dollarsAndCents } from '#lib/data/money.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { writeStored } from '#session/stored.ts';
import { LeaveGuard } from '#ui/admin/leave-guard.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { SelectField, TextField } from '#ui/form/field.tsx';
import { keepFocus } from '#ui/form/keep-focus.ts';
import { focusField, useSubmit } from '#ui/form/use-submit.ts';
import { MAX_INVESTORS_PERCENT } from './model/calculator.ts';
import { byCut, CURRENCIES, instalmentsFor, MAX_PLAN_LENGTHS, planFrom, type SplitPlan, today } from './model/plan.ts';
import type { SplitDraft, SplitOfProject } from './model/records.ts';
import { discardDraft, issueSheet, saveDraft, splitKey } from './model/records.ts';
import { type ComputedSheet, computeSheet, inMoney, namedProblems } from './model/sheet.ts';
import { InstalmentFields, PeopleFields } from './plan-fields.tsx';
import { payments, splitSheet as words } from './words/split-sheet.ts';
import { cutNames } from './words/terms.ts';

export function PlanForm({ project, draft }: { project: SplitOfProject['project']; draft: SplitDraft }) {
  const form = useRef<HTMLFormElement>(null);
  const amount = useRef<HTMLInputElement>(null);
  const { key, input } = useRestoredInput<{ draft: SplitDraft; plan: SplitPlan }>(`split-${draft.id}`);
  const sortedPlan = (stored: Parameters<typeof planFrom>[0]) => {
    const sorted = planFrom(stored);
    return { ...sorted, people: byCut(sorted.people) };
  };
  const [typed, setTyped] = useState(() => {
    const { people, instalments, ...rest } = sortedPlan(input?.plan ?? draft.plan);
    return { ...rest, people: people.map(keyed), instalments: instalments.map(keyed) };
  });
  const linesOf = useRef<Partial<Record<SplitPlan['payment'], typeof typed.instalments>>>({});
  const set = (change: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...change }));
  const plan = useMemo(() => planFrom(typed), [typed]);
  const [saved, setSaved] = useState(input ? { ...input, plan: sortedPlan(input.draft.plan) } : { draft, plan });
  const [tried, setTried] = useState(false);
  const [asking, setAsking] = useState<'issue' | 'discard' | null>(null);
  const { pressed, failure, run, submit, reset } = useSubmit(words.failedToSave, inWords);
  const { unallocatedShareTo } = useFacts();
  const { say } = useStatus();
  const cache = useQueryClient();
  const queryKey = splitKey(project.id);
  const { problems, result } = useMemo(() => computeSheet(plan, project.start_date), [plan, project.start_date]);
  const missing = problems ? namedProblems(problems, plan) : [];
  const shown = tried ? (problems ?? {}) : {};
  const unsaved = JSON.stringify(plan) !== JSON.stringify(saved.plan);
  const isOpen = unsaved && pressed !== 'discard';
  const unsavedInput = useMemo(() => (isOpen ? { draft: saved.draft, plan } : null), [isOpen, saved.draft, plan]);
  useStoredInput(key, unsavedInput);

  async function save(): Promise<SplitDraft> {
    if (!unsaved) return saved.draft;
    const savedDraft = await saveDraft(clients().data(), saved.draft, plan);
    setSaved({ draft: savedDraft, plan });
    cache.setQueryData<SplitOfProject | null>(queryKey, (split) => split && { ...split, draft: savedDraft });
    return savedDraft;
  }

  const saveNow = submit(save, () => say('The draft is saved.'));

  function discardInput() {
    writeStored('sessionStorage', key, null);
    void cache.resetQueries({ queryKey });
  }
  function fillInBudget() {
    set({ amount: String(project.budget), currency: 'USD' });
    amount.current?.focus();
  }
  function ask(what: 'issue' | 'discard') {
    reset();
    setAsking(what);
  }
  function askToIssue() {
    setTried(true);
    if (result) return ask('issue');
    requestAnimationFrame(() => focusField(form.current));
  }

  const closeDialog = () => setAsking(null);
  const isIssue = asking === 'issue';
  async function issue() {
    const number = await issueSheet(clients().data(), await save(), result!);
    await cache.invalidateQueries({ queryKey });
    say(`Sheet ${number} is issued.`);
  }
  async function discard() {
    await discardDraft(clients().data(), saved.draft);
    await cache.invalidateQueries({ queryKey });
    say('The draft is deleted.');
  }

  return (
    <form className="split-plan stack split-1200 with-aside gap-6 top" ref={form} onSubmit={saveNow} noValidate>
      <LeaveGuard search />
      <div className="stack gap-5 split-fields" ref={keepFocus}>
        {unsaved && saved.draft === input?.draft && <Banner kind="info">Your unsaved input is restored.</Banner>}
        <div className="split-pair split-640 stack gap-4">
          <TextField
            label={words.amount}
            hint={`The terms share the profit: what the client pays, less what the project costs. In ${plan.currency}.`}
            error={shown['amount']}
            inputMode="decimal"
            autoComplete="off"
            maxLength={MAX_PLAN_LENGTHS.amount}
            className="amount"
            ref={amount}
            value={plan.amount}
            onChange={({ target }) => set({ amount: target.value })}
          />
          <SelectField
            label="Currency"
            hint="One currency for the whole sheet. Amounts are not converted."
            value={plan.currency}
            onChange={({ target }) => set({ currency: target.value as SplitPlan['currency'] })}
            options={Object.fromEntries(CURRENCIES.map((currency) => [currency, currency]))}
          />
        </div>
        {project.budget !== null && (
          <SmallButton className="self-start" onClick={fillInBudget}>
            Use the budget, {dollarsAndCents(project.budget)}
          </SmallButton>
        )}
        <TextField
          label={words.investors}
          hint={`0 to ${MAX_INVESTORS_PERCENT}. What they leave goes to the work team.`}
          error={shown['investors']}
          inputMode="numeric"
          autoComplete="off"
          maxLength={MAX_PLAN_LENGTHS.investors}
          className="split-short"
          value={plan.investors}
          onChange={({ target }) => set({ investors: target.value })}
        />
        <PeopleFields
          lines={typed.people}
          investors={plan.investors}
          members={project.members}
          problems={shown}
          onLines={(people) => set({ people })}
        />
        <SelectField
          label="How it is paid"
          hint={payments[plan.payment].rule}
          value={plan.payment}
          onChange={(event) => {
            const payment = event.target.value as SplitPlan['payment'];
            linesOf.current[plan.payment] = typed.instalments;
            const instalments = linesOf.current[payment] ?? instalmentsFor(payment, project, today()).map(keyed);
            set({ payment, instalments });
          }}
          options={Object.fromEntries(Object.entries(payments).map(([value, { label }]) => [value, label]))}
        />
        <InstalmentFields lines={typed.instalments} problems={shown} onLines={(instalments) => set({ instalments })} />
      </div>
      <PlanResult result={result} missing={missing} recipient={unallocatedShareTo} />
      <div className="stack gap-3 split-bar across rule pad-top-4">
        {failure && asking === null && <Banner kind="error">{failure}</Banner>}
        <div className="button-row middle">
          <SmallButton type="submit" value="save" busy={pressed === 'save'} busyLabel="Saving...">
            Save draft
          </SmallButton>
          <SmallButton variant="primary" disabled={!unallocatedShareTo} onClick={askToIssue}>
            Issue
          </SmallButton>
          <SmallButton disabled={pressed !== null || !(unsaved || failure)} onClick={discardInput}>
            Discard changes
          </SmallButton>
          <SmallButton variant="danger" onClick={() => ask('discard')}>
            {words.discard}
          </SmallButton>
          {unsaved && <p className="quiet">Not saved yet</p>}
        </div>
      </div>
      <ConfirmDialog
        open={asking !== null}
        title={isIssue ? 'Issue this split sheet?' : 'Delete this draft?'}
        confirmLabel={isIssue ? 'Issue the sheet' : words.discard}
        busyLabel={isIssue ? 'Issuing...' : messages.deleting}
        busy={pressed === asking}
        error={failure}
        onConfirm={() => {
          const otherwise = isIssue ? 'The sheet was not issued.' : 'The draft was not deleted.';
          void run(isIssue ? issue : discard, closeDialog, { name: asking ?? '', otherwise });
        }}
        onCancel={closeDialog}
      >
        <p>
          {!(isIssue && result)
            ? 'Its unsaved input will be lost. Issued sheets stay.'
            : `It is numbered and frozen, and ${result.statements.length === 1 ? 'one statement is' : `${result.statements.length} statements are`} made for ${inMoney(result.amount, result.currency)}. It can’t be changed afterwards; a new sheet that replaces it corrects mistakes.`}
        </p>
      </ConfirmDialog>
    </form>
  );
}

type PlanResultProps = { result: ComputedSheet | null; missing: ReturnType<typeof namedProblems>; recipient: string };

const PlanResult = ({ result, missing, recipient }: PlanResultProps) => (
  <section className="split-result panel pad-5" aria-labelledby="split-result">
    <h2 id="split-result">Result</h2>
    {result ? (
      <ul className="split-lines">
        {result.statements.map(({ name, amount: whole, shares }) => (
          <ResultLine key={`${name} ${shares[0]?.cut}`} amount={inMoney(whole, result.currency)}>
            <strong>{name}</strong>
            <span className="row-meta">{shares.map((share) => share.words).join('; ')}</span>
          </ResultLine>
        ))}
        {result.pools.map(({ cut, amount: whole }) => (
          <ResultLine key={cut} amount={inMoney(whole, result.currency)} isOpen={cut === 'unallocated'}>
            {cutNames[cut]}
            {cut === 'unallocated' && recipient && <span className="row-meta">{recipient}</span>}
          </ResultLine>
        ))}
        <li className="inline stretch apart pad-y-2 rule">
          <strong>{words.total}</strong>
          <strong className="amount">{inMoney(result.amount, result.currency)}</strong>
        </li>
      </ul>
    ) : (
      <>
        <p>The amounts show when this is filled in:</p>
        <ul className="stack gap-2 above-3">
          {missing.map(({ place, problem }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines of one share may lack the same
            <li key={at}>
              <strong>{place}</strong>: {problem}
            </li>
          ))}
        </ul>
      </>
    )}
  </section>
);

const ResultLine = ({ amount, isOpen, children }: { amount: string; isOpen?: boolean; children: ReactNode }) => (
  <li className="inline stretch apart pad-y-2 hairline-below" data-open={isOpen || undefined}>
    <span className="anywhere shrink">{children}</span>
    <span className="amount">{amount}</span>
  </li>
);

const keyed = <Line extends object>(line: Line) => ({ ...line, key: newId() });

const inWords = (error: unknown, otherwise: string) =>
  error instanceof EditConflict ? words.meanwhile : reasonOf(error, otherwise);
