import { type ReactNode, useEffect, useRef, useState } from 'react';
import { EmptyState } from '../feedback/empty-state.tsx';
import { SmallButton } from '../form/button.tsx';
import { Icon } from '../icon.tsx';
import { restoreFocus } from '../restore-focus.ts';
import './data-table.css';

type Direction = 'ascending' | 'descending';

export interface Column<Row, Order extends string = string> {
  header: string;
  cell: (row: Row) => ReactNode;
  wide?: boolean;
  text?: boolean;
  /** The orders by this column; a click on the header selects the next one, and the default order after the last. */
  orders?: Partial<Record<Direction, Order>>;
}

export type Ordering<Order extends string> = { current: Order; standard: Order; onChange: (order: Order) => void };

interface Selecting<Row> {
  nameOf: (row: Row) => string;
  actions: (rows: Row[], deselect: (keys: readonly string[]) => void) => ReactNode;
}

interface DataTableProps<Row, Order extends string> {
  caption: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  columns: readonly Column<Row, Order>[];
  ordering?: Ordering<Order> | undefined;
  actions?: (row: Row) => ReactNode;
  selecting?: Selecting<Row> | undefined;
  empty: string | null;
  busy?: boolean;
  children?: ReactNode;
}

/** A table where there is room, otherwise a card for each row. The first column names the row. */
export function DataTable<Row, Order extends string = string>(props: DataTableProps<Row, Order>) {
  const { caption, rows, keyOf, columns, ordering, actions, selecting, empty, busy = false, children } = props;
  const [naming, ...others] = columns;
  const keys = rows.map(keyOf);
  const { selected, select, toggle } = useSelection(keys);
  const selectedRows = rows.filter((_, index) => selected.includes(keys[index]!));
  return (
    <div className="data-table" aria-busy={busy}>
      {rows.length === 0 ? (
        empty && <EmptyState title={empty} />
      ) : (
        <table className="table full">
          <caption className="hidden-text">{caption}</caption>
          <thead>
            <tr>
              {selecting && (
                <th scope="col" className="table-check">
                  <Check
                    label="Select all on this page"
                    checked={selected.length === rows.length}
                    mixed={selected.length > 0 && selected.length < rows.length}
                    onChange={(is) => select(keys, is)}
                  />
                </th>
              )}
              {columns.map((column) => (
                <Header key={column.header} column={column} ordering={ordering} />
              ))}
              {actions && (
                <th scope="col">
                  <span className="hidden-text">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={keys[index]} data-row data-selected={selected.includes(keys[index]!) || undefined}>
                <FocusRestored />
                {selecting && (
                  <td className="table-check">
                    <Check
                      label={`Select ${selecting.nameOf(row)}`}
                      checked={selected.includes(keys[index]!)}
                      onChange={(is, range) => toggle(keys[index]!, is, range)}
                    />
                  </td>
                )}
                {naming && <th scope="row">{naming.cell(row)}</th>}
                {others.map(({ header, wide, text, cell }) => (
                  <td
                    key={header}
                    data-label={text ? undefined : header}
                    data-wide={wide || undefined}
                    data-text={text || undefined}
                  >
                    {cell(row)}
                  </td>
                ))}
                {actions && <td className="table-actions one-line">{actions(row)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {selecting && (
        <div className={selected.length > 0 ? 'cluster bottom-bar bulk-bar rule' : undefined}>
          <p aria-live="polite">{selected.length > 0 && `${selected.length} selected`}</p>
          {selected.length > 0 && (
            <>
              <FocusRestored />
              {selecting.actions(selectedRows, (done) => select(done, false))}
              <SmallButton variant="quiet" onClick={() => select(selected, false)}>
                Clear selection
              </SmallButton>
            </>
          )}
        </div>
      )}
      {children}
    </div>
  );
}

type HeaderProps<Row, Order extends string> = { column: Column<Row, Order>; ordering: Ordering<Order> | undefined };

function Header<Row, Order extends string>({ column, ordering }: HeaderProps<Row, Order>) {
  const { header, wide, orders } = column;
  const choices = ordering ? (Object.entries(orders ?? {}) as [Direction, Order][]) : [];
  const index = choices.findIndex(([, order]) => order === ordering?.current);
  const direction = choices[index]?.[0];
  return (
    <th scope="col" data-wide={wide || undefined} aria-sort={direction}>
      {ordering && choices.length > 0 ? (
        <button
          className="inline gap-1 touch bold underlined"
          type="button"
          onClick={() => ordering.onChange(choices[index + 1]?.[1] ?? ordering.standard)}
        >
          {header}
          {direction && <Icon name={direction === 'ascending' ? 'arrow-up' : 'arrow-down'} />}
        </button>
      ) : (
        header
      )}
    </th>
  );
}

type CheckProps = { label: string; checked: boolean; mixed?: boolean; onChange: (is: boolean, range: boolean) => void };

const Check = ({ label, checked, mixed = false, onChange }: CheckProps) => (
  <label className="gap-2 middle touch" data-label={label}>
    <input
      type="checkbox"
      aria-label={label}
      checked={checked}
      ref={(box) => {
        if (box) box.indeterminate = mixed;
      }}
      onChange={({ target, nativeEvent }) => onChange(target.checked, (nativeEvent as MouseEvent).shiftKey)}
    />
  </label>
);

/** Restores the focus when the row of the focused element disappears. */
function FocusRestored() {
  useEffect(() => () => queueMicrotask(() => restoreFocus()), []);
  return null;
}

/** Selected rows by key; rows that are not on the page any more do not count. @param keys all rows of the page in order */
function useSelection(keys: readonly string[]) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const lastKey = useRef('');

  const select = (changed: readonly string[], is: boolean) =>
    setPicked((before) => new Set(is ? [...before, ...changed] : [...before].filter((key) => !changed.includes(key))));

  return {
    selected: keys.filter((key) => picked.has(key)),
    select,
    toggle(key: string, is: boolean, range: boolean) {
      const [from, to] = [keys.indexOf(lastKey.current), keys.indexOf(key)];
      select(range && from >= 0 ? keys.slice(Math.min(from, to), Math.max(from, to) + 1) : [key], is);
      lastKey.current = key;
    },
  };
}
