import { readStored, writeStored } from '#session/stored.ts';

const DISABLED_KEY = 'madhouse.admin.single-keys';

export const singleKeysOn = (): boolean => readStored('localStorage', DISABLED_KEY) !== 'off';
export const switchSingleKeys = (on: boolean): void => writeStored('localStorage', DISABLED_KEY, on ? null : 'off');

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
