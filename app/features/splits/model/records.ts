import type { PostgrestClient } from '@supabase/postgrest-js';
import type { StoredCredit } from '#features/credits/model/credits.ts';
import { storedBudget } from '#features/projects/model/read.ts';
import { isUuid } from '#lib/data/ids.ts';
import { MAX_PEOPLE_PER_SHEET } from '#lib/data/limits.ts';
import { readPage } from '#lib/data/page.ts';
import { type Embedded, first, readOne, requireChange, rows, writeRow } from '#lib/data/rows.ts';
import type { PlannedProject, SplitPlan } from './plan.ts';
import type { ComputedSheet, Share } from './sheet.ts';

export type SplitDraft = { id: string; plan: unknown; replaces: string | null; updated_at: string };

/** Amounts are in the smallest unit. */
export interface IssuedSheet {
  id: string;
  number: number;
  issued_at: string;
  project_title: string;
  client: string | null;
  currency: string;
  amount: number;
  terms: string;
  credits: StoredCredit[] | null;
  replaces: string | null;
  plan: null;
}

export interface IssuedStatement extends Pick<IssuedSheet, 'issued_at' | 'project_title' | 'currency' | 'terms'> {
  id: string;
  sheet_id: string;
  number: string;
  name: string;
  amount: number;
  instalments: Instalment[];
  replaces: number | null;
  replaced_by: number | null;
  paid_before: number;
  split_shares: IssuedShare[];
}

export interface Instalment {
  place: number;
  due: string;
  words: string;
  amount: number;
  /** What payments on replaced sheets leave of it. */
  open: number;
  paid_on: string | null;
}

export type IssuedShare = { id: number; cut: Share['cut']; words: string; weight: number; amount: number };

export type StatementsOfSheet = { statements: IssuedStatement[]; pools: IssuedShare[] };

export interface SplitOfProject {
  project: PlannedProject & { id: string };
  draft: SplitDraft | null;
  issued: IssuedSheet[];
}

interface ProjectRow extends Omit<SplitOfProject['project'], 'id' | 'members'> {
  project_budgets: Embedded<{ amount: number }>;
  project_members: {
    name: string | null;
    role: string | null;
    user_id: string | null;
    contribution_percentage: number | null;
    user: { name: string | null; email: string | null } | null;
  }[];
}

const PROJECT = `title,client,budget,start_date,end_date,project_budgets(amount),
  project_members(name,role,user_id,contribution_percentage,user:profiles(name,email))`;
const STATEMENT = '*,instalments,replaced_by,split_shares(id,cut,words,weight,amount)';

export const splitKey = (projectId: string) => ['split', 'project', projectId];
export const statementsKey = (sheetId: string) => ['split', 'statements', sheetId];

export async function findSplit(data: PostgrestClient, projectId: string): Promise<SplitOfProject | null> {
  if (!isUuid(projectId)) return null;
  const allSheets = data.from('split_sheets').select('*').eq('project_id', projectId);
  const [project, sheets] = await Promise.all([
    first<ProjectRow>(data.from('projects').select(PROJECT).eq('id', projectId)),
    rows<SplitDraft | IssuedSheet>(allSheets.order('number', { ascending: false }).limit(100)),
  ]);
  if (!project) return null;
  return {
    project: { ...plannedProject(project), id: projectId },
    draft: sheets.find((sheet): sheet is SplitDraft => sheet.plan !== null) ?? null,
    issued: sheets.filter((sheet): sheet is IssuedSheet => sheet.plan === null),
  };
}

const plannedProject = ({ project_budgets, project_members, ...project }: ProjectRow) => ({
  ...project,
  budget: storedBudget({ ...project, project_budgets }),
  members: project_members.map(({ name, role, user_id, contribution_percentage, user }) => ({
    name: name ?? user?.name ?? user?.email ?? '',
    role,
    member: user_id,
    share: contribution_percentage,
  })),
});

const selectStatements = (data: PostgrestClient) =>
  data.from('split_statements').select(STATEMENT, { count: 'exact' }).order('id', { referencedTable: 'split_shares' });

export async function findStatements(data: PostgrestClient, sheetId: string): Promise<StatementsOfSheet> {
  const shares = data.from('split_shares').select('id,cut,words,weight,amount').eq('sheet_id', sheetId);
  const [statements, pools] = await Promise.all([
    rows<IssuedStatement>(selectStatements(data).eq('sheet_id', sheetId).limit(MAX_PEOPLE_PER_SHEET)),
    rows<IssuedShare>(shares.is('statement_id', null).order('id')),
  ]);
  const place = ({ number }: IssuedStatement) => Number(number.split('-')[1]);
  return { statements: statements.toSorted((a, b) => place(a) - place(b)), pools };
}

interface EarnedInstalment extends Pick<Instalment, 'place' | 'words' | 'amount'> {
  day: string;
  paid: boolean;
  statement: string;
  project: string;
}

type YearOfEarnings = { year: number; currency: string; paid: number; due: number; instalments: EarnedInstalment[] };

export const readEarnings = (data: PostgrestClient) => rows<YearOfEarnings>(data.rpc('own_earnings'));

export function readOwnStatements(data: PostgrestClient, user: string, page: number) {
  const newestFirst = () => selectStatements(data).eq('user_id', user).order('issued_at', { ascending: false });
  return readPage<IssuedStatement>((from, to) => newestFirst().order('id').range(from, to), page);
}

const DRAFT = 'id,plan,replaces,updated_at';

/** @throws EditConflict when a draft already exists; ApiError */
export const beginDraft = (data: PostgrestClient, projectId: string, plan: SplitPlan, replaces: string | null) =>
  writeRow<SplitDraft>(data.from('split_sheets').insert({ project_id: projectId, plan, replaces }).select(DRAFT));

/** @throws EditConflict when changed since it was read; ApiError */
export const saveDraft = (data: PostgrestClient, { id, updated_at }: SplitDraft, plan: SplitPlan) =>
  writeRow<SplitDraft>(data.from('split_sheets').update({ plan }).match({ id, updated_at }).select(DRAFT));

/** @throws EditConflict when it was issued, changed or deleted; ApiError */
export const discardDraft = (data: PostgrestClient, { id, updated_at }: SplitDraft) =>
  writeRow(data.from('split_sheets').delete().match({ id, updated_at }).select('id'));

/** Freezes a saved draft. @returns the sheet's number. @throws ApiError with the server's message */
export const issueSheet = (data: PostgrestClient, draft: SplitDraft, result: ComputedSheet): Promise<number> =>
  readOne(data.rpc('issue_split_sheet', { p_sheet: draft.id, p_seen: draft.updated_at, p_issue: issueOf(result) }));

/** @param paidOn null: not paid any more. @throws ApiError with the server's message */
export const markInstalment = (data: PostgrestClient, statement: string, place: number, paidOn: string | null) =>
  requireChange(data.rpc('mark_instalment', { p_statement: statement, p_place: place, p_paid_on: paidOn }));

/** The data that the procedure verifies and freezes. Amounts fit a JSON number: the largest has fifteen digits. */
export function issueOf({ amount, statements, pools, ...rest }: ComputedSheet) {
  const line = ({ cut, words, weight, amount: share }: Share) => ({ cut, words, weight, share: Number(share) });
  return {
    ...rest,
    amount: Number(amount),
    statements: statements.map(({ name, member, shares, payments }) => ({
      name,
      member,
      shares: shares.map(line),
      payments: payments.map(Number),
    })),
    pools: pools.map(line),
  };
}
