/** The row was changed since the caller read it; nothing was overwritten. */
export class EditConflict extends Error {
  override readonly name = 'EditConflict';
  override readonly message = 'Someone else changed this meanwhile. This is their version; your change was not saved.';
}
