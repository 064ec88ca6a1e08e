import { TableHead } from '#ui/data/table-head.tsx';
import { percentText, shares, unallocated } from '../words/collective.ts';

const segments = [...shares, { ...unallocated, plate: 'empty' }];

export const SplitSection = ({ unallocatedTo }: { unallocatedTo: string }) => (
  <div className="shares stack gap-5 shrink">
    <ol className="split-bar" aria-hidden="true">
      {segments.map((share) => (
        <li className="split-part stack top gap-2 shrink" style={{ flexGrow: share.percent }} key={share.name}>
          <span className={`edged split-plate inline bottom on-${share.plate}`}>{share.percent}</span>
          <span className="split-name">{share.short}</span>
        </li>
      ))}
    </ol>
    <table className="split-table full">
      <caption className="hidden-text">Shares of one project’s profit</caption>
      <TableHead className="hidden-text" columns={['Share', 'Part of the profit', 'Who gets it']} />
      <tbody>
        {segments.map((share) => (
          <tr key={share.name}>
            <th scope="row">
              <span className={`edged split-swatch on-${share.plate}`} aria-hidden="true" />
              {share.name}
            </th>
            <td className="amount size-1">{percentText(share)}</td>
            <td>{(share.name === unallocated.name && unallocatedTo) || share.to}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
