export interface SetupLogLine {
  number: number;
  at: Date;
  text: string;
  kind: 'step' | 'warning' | 'error';
}

export const SetupLog = ({ lines }: { lines: SetupLogLine[] }) => (
  <section aria-labelledby="setup-log">
    <h2 id="setup-log">Setup log</h2>
    <div role="log" aria-labelledby="setup-log">
      <ol className="setup-log">
        {lines.map(({ number, at, text, kind }) => (
          <li key={number} data-kind={kind}>
            <time dateTime={at.toISOString()}>{at.toTimeString().slice(0, 8)}</time>
            <span>
              {kind !== 'step' && <strong>{kind === 'error' ? 'Failed: ' : 'Note: '}</strong>}
              {text}
            </span>
          </li>
        ))}
      </ol>
    </div>
  </section>
);
