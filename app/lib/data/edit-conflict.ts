/** The row was changed since the caller read it; nothing was overwritten. */
export class EditConflict extends Error {
  override readonly name = 'EditConflict';
}
