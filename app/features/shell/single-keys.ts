const DISABLED_KEY = 'madhouse.admin.single-keys';

export function singleKeysOn(): boolean {
  try {
    return localStorage.getItem(DISABLED_KEY) !== 'off';
  } catch {
    return true; // storage is disabled: nothing is stored
  }
}

export function switchSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(DISABLED_KEY);
    else localStorage.setItem(DISABLED_KEY, 'off');
  } catch {
    // Storage is disabled, so the value is valid until the next read.
  }
}

const FIELDS = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"]';

export const isDialogOpen = () => document.querySelector('dialog[open]') !== null;

/** Whether a key event is text input, or belongs to a dialog, a menu or the browser. */
export function belongsElsewhere(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  return (
    event.defaultPrevented ||
    event.isComposing ||
    event.ctrlKey ||
    event.altKey ||
    event.metaKey ||
    Boolean(target?.closest(FIELDS)) ||
    isDialogOpen()
  );
}
