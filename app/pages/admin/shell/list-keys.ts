const ROW = '[data-row]';

/** The row the focus was in last, so that a row that left does not lead back to the top. */
let last = { screen: '', index: 0 };

/**
 * What a single key does in the list of the screen. Rows carry `data-row`; in a row, the first link is what is opened, and
 * whatever carries `data-key="e"` is what the key `e` presses; `data-screen-key` is the same for the whole screen.
 * @returns whether the key did something
 */
export function pressInList(key: string): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>(`#screen ${ROW}`)].filter((row) => row.checkVisibility());
  const active = document.activeElement;
  const row = active?.closest<HTMLElement>(ROW) ?? null;
  const here = row ? rows.indexOf(row) : -1;
  switch (key) {
    case 'j':
      return focusRow(rows, here >= 0 ? here + 1 : lostRow());
    case 'k':
      return focusRow(rows, here >= 0 ? here - 1 : lostRow() - 1);
    case 'ArrowDown':
    case 'ArrowUp':
      // Outside of rows the arrows scroll, as everywhere.
      return (
        here >= 0 && active?.closest('details[open]') === null && focusRow(rows, here + (key === 'ArrowDown' ? 1 : -1))
      );
    case 'o':
      return press(row?.querySelector<HTMLElement>('a[href]'));
    case '/': {
      const field = document.querySelector<HTMLInputElement>('#screen input[type="search"]');
      // What is found next is another list: walking begins at its top.
      last = { screen: '', index: 0 };
      field?.focus();
      field?.select();
      return field !== null;
    }
    default:
      return (
        /^[a-z]$/.test(key) &&
        (press(row?.querySelector<HTMLElement>(`[data-key="${key}"]`)) ||
          press(document.querySelector<HTMLElement>(`#screen [data-screen-key="${key}"]`)))
      );
  }
}

function lostRow(): number {
  const active = document.activeElement;
  // The screen itself has the focus after a row in which something was pressed has left.
  const lost = active === document.body || active?.id === 'screen';
  return lost && last.screen === location.pathname ? last.index : 0;
}

function focusRow(rows: HTMLElement[], index: number): boolean {
  const row = rows[Math.max(0, Math.min(index, rows.length - 1))];
  if (!row) return false;
  last = { screen: location.pathname, index: rows.indexOf(row) };
  (row.querySelector<HTMLElement>('a[href], button') ?? row).focus();
  return true;
}

function press(element: HTMLElement | null | undefined): boolean {
  element?.click();
  return Boolean(element);
}
