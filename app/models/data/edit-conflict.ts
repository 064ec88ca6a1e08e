/** Somebody else has written since the caller looked; nothing was overwritten. */
export class EditConflict extends Error {
  override readonly name = 'EditConflict';
}
