import { ApiError, EditConflict } from './api-error.ts';

export type DataAnswer = { data: unknown; error: { message: string; code: string } | null; count?: number | null };

/** A query to the data service; it is sent when awaited. */
export type DataQuery = PromiseLike<DataAnswer>;

/** SQLSTATE: unique violation. */
const UNIQUE_VIOLATION = '23505';

/** @throws ApiError when the service refused or was unreachable */
export function answered({ error, ...answer }: DataAnswer): Omit<DataAnswer, 'error'> {
  if (error) throw new ApiError(error.message, error.code);
  return answer;
}

export const rows = async <Row>(query: DataQuery): Promise<Row[]> => answered(await query).data as Row[];

export const first = async <Row>(query: DataQuery): Promise<Row | null> => (await rows<Row>(query))[0] ?? null;

/** A single result: of a procedure, or of `.single()`. @throws ApiError */
export const readOne = async <Data>(query: DataQuery): Promise<Data> => answered(await query).data as Data;

/** How many rows match; the query needs an exact count. @throws ApiError */
export const readCount = async (query: DataQuery): Promise<number> => answered(await query).count ?? 0;

/** @param otherwise message when no row was affected; needs an exact count. @throws ApiError */
export async function requireChange(query: DataQuery, otherwise?: string): Promise<void> {
  const { count } = answered(await query);
  if (otherwise !== undefined && count === 0) throw new ApiError(otherwise);
}

/** Adds a row; one that already exists counts as added. @throws ApiError */
export async function added(query: DataQuery): Promise<void> {
  const answer = await query;
  if (answer.error?.code !== UNIQUE_VIOLATION) answered(answer);
}

/** Writes one row if unchanged since it was read; the query must select something. @throws EditConflict, ApiError */
export async function writeRow<Row>(query: DataQuery): Promise<Row> {
  const answer = await query;
  if (answer.error?.code === UNIQUE_VIOLATION) throw new EditConflict();
  const [row] = answered(answer).data as Row[];
  if (row === undefined) throw new EditConflict();
  return row;
}

/** Services return to-one embeds as an object, or as a list when they cannot determine the relation. */
export type Embedded<Row> = Row | Row[] | null;

export const embedded = <Row>(found: Embedded<Row> | undefined): Row | null =>
  (Array.isArray(found) ? found[0] : found) ?? null;
