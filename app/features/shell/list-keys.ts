/** The last focused row, so that a removed row does not move the focus to the top. */
let last = { screen: '', index: 0 };

/**
 * Single-key actions in a list. Rows carry `data-row`; the first link of a row is opened, and `data-key="e"` is clicked
 * by the key `e`; `data-screen-key` does the same for the whole screen.
 * @returns whether the key was handled
 */
export function pressInList(key: string, screen: HTMLElement): boolean {
  const find = (selector: string, within = screen) => within.querySelector<HTMLElement>(selector);
  const rows = [...screen.querySelectorAll<HTMLElement>('[data-row]')].filter((row) => row.checkVisibility());
  const active = document.activeElement;
  const row = active?.closest<HTMLElement>('[data-row]') ?? undefined;
  const current = row ? rows.indexOf(row) : -1;
  switch (key) {
    case 'j':
      return focusRow(rows, current >= 0 ? current + 1 : lostRow());
    case 'k':
      return focusRow(rows, current >= 0 ? current - 1 : lostRow() - 1);
    case 'ArrowDown':
    case 'ArrowUp':
      // Outside of rows the arrows scroll as usual.
      if (current < 0 || active?.closest('details[open]') !== null) return false;
      return focusRow(rows, current + (key === 'ArrowDown' ? 1 : -1));
    case 'o':
      return click(row && find('a[href]', row));
    case '/': {
      const field = find('input[type="search"]') as HTMLInputElement | null;
      last = { screen: '', index: 0 };
      field?.focus();
      field?.select();
      return field !== null;
    }
    default:
      if (!/^[a-z]$/.test(key)) return false;
      return click(row && find(`[data-key="${key}"]`, row)) || click(find(`[data-screen-key="${key}"]`));
  }
}

function lostRow(): number {
  const active = document.activeElement;
  // The screen has the focus after the row with the clicked button was removed.
  const hasLostFocus = active === document.body || active?.id === 'screen';
  return hasLostFocus && last.screen === location.pathname ? last.index : 0;
}

function focusRow(rows: HTMLElement[], index: number): boolean {
  const row = rows[Math.max(0, Math.min(index, rows.length - 1))];
  if (!row) return false;
  last = { screen: location.pathname, index: rows.indexOf(row) };
  (row.getElementsByTagName('a')[0] ?? row.getElementsByTagName('button')[0] ?? row).focus();
  return true;
}

function click(element: HTMLElement | null | undefined): boolean {
  element?.click();
  return Boolean(element);
}
