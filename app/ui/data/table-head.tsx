import type { ComponentProps } from 'react';

export const TableHead = ({ columns, ...head }: ComponentProps<'thead'> & { columns: readonly string[] }) => (
  <thead {...head}>
    <tr>
      {columns.map((column) => (
        <th scope="col" key={column}>
          {column}
        </th>
      ))}
    </tr>
  </thead>
);
