import { ApiError } from './api-error.ts';

/** Somebody else has written since the caller looked; nothing was overwritten. */
export class EditConflict extends Error {
  override readonly name = 'ChangedMeanwhile';
}

const TAKEN = '23505';

interface Answer<Row> {
  data: Row[] | null;
  error: { message: string; code: string } | null;
}

/**
 * The row of a write that names what it expects to find.
 * @throws ChangedMeanwhile when that was not there, or was there already; ApiError
 */
export function rowWritten<Row>({ data, error }: Answer<Row>): Row {
  if (error?.code === TAKEN) throw new EditConflict();
  if (error) throw new ApiError(error.message, error.code);
  const [row] = data ?? [];
  if (!row) throw new EditConflict();
  return row;
}
