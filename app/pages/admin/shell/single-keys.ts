const OFF = 'madhouse.admin.single-keys';

/** Whether keys without Ctrl, Alt or ⌘ do anything here; remembered on the device. */
export function singleKeysOn(): boolean {
  try {
    return localStorage.getItem(OFF) !== 'off';
  } catch {
    return true; // storage is switched off: nothing is remembered
  }
}

export function switchSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, 'off');
  } catch {
    // Storage is switched off: it holds for as long as nothing asks again.
  }
}

const FIELDS = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"]';

/** Whether a key press is somebody typing, or meant for a dialog, a menu or the browser, rather than a single key of ours. */
export function belongsElsewhere(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  return (
    event.defaultPrevented ||
    event.isComposing ||
    event.ctrlKey ||
    event.altKey ||
    event.metaKey ||
    Boolean(target?.closest(FIELDS)) ||
    document.querySelector('dialog[open]') !== null
  );
}
