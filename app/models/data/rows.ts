import { ApiError } from './api-error.ts';
import { EditConflict } from './edit-conflict.ts';

/** What the data client answers, whatever it was asked. */
export interface DataAnswer {
  data: unknown;
  error: { message: string; code: string } | null;
  count?: number | null;
}

/** A question to the data service; it is asked when it is awaited. */
export type DataQuery = PromiseLike<DataAnswer>;

/** SQLSTATE of a row that is there already. */
const TAKEN = '23505';

/** What was answered. @throws ApiError when the service refused or was not reached */
export function answered({ error, ...answer }: DataAnswer): Omit<DataAnswer, 'error'> {
  if (error) throw new ApiError(error.message, error.code);
  return answer;
}

/** The rows that match. @throws ApiError */
export const rows = async <Row>(asked: DataQuery): Promise<Row[]> => answered(await asked).data as Row[];

/** The first row that matches; null when none does. @throws ApiError */
export const first = async <Row>(asked: DataQuery): Promise<Row | null> => (await rows<Row>(asked))[0] ?? null;

/** The one thing that was asked for: what a procedure answers, or `.single()`. @throws ApiError */
export const one = async <Data>(asked: DataQuery): Promise<Data> => answered(await asked).data as Data;

/** How many rows match; ask with an exact count. @throws ApiError */
export const counted = async (asked: DataQuery): Promise<number> => answered(await asked).count ?? 0;

/**
 * Writes.
 * @param otherwise what to say when no row was there to write; ask with an exact count then
 * @throws ApiError
 */
export async function affected(asked: DataQuery, otherwise?: string): Promise<void> {
  const { count } = answered(await asked);
  if (otherwise !== undefined && count === 0) throw new ApiError(otherwise);
}

/** Adds a row; one that is there already will do: somebody else was faster, to the same end. @throws ApiError */
export async function added(asked: DataQuery): Promise<void> {
  const answer = await asked;
  if (answer.error?.code !== TAKEN) answered(answer);
}

/**
 * Writes the one row that is still as the caller has seen it, or that is not there yet; ask for something of it.
 * @throws EditConflict when somebody was faster: nothing was overwritten; ApiError
 */
export async function written<Row>(asked: DataQuery): Promise<Row> {
  const answer = await asked;
  if (answer.error?.code === TAKEN) throw new EditConflict();
  const [row] = answered(answer).data as Row[];
  if (row === undefined) throw new EditConflict();
  return row;
}

/** To-one embeds arrive as an object from our service and from PostgREST, as a list when it cannot tell. */
export type Embedded<Row> = Row | Row[] | null;

export const embedded = <Row>(found: Embedded<Row> | undefined): Row | null =>
  (Array.isArray(found) ? found[0] : found) ?? null;
