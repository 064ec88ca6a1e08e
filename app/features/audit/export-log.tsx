import { useEffect, useRef, useState } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { csvFile } from '#lib/data/csv.ts';
import { clients } from '#session/browser.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { saveFile } from '#ui/save-file.ts';
import { cellsOf, type LogQuestion, logLines } from './model/audit-log.ts';
import { log as words } from './words.ts';

export function ExportLog({ question }: { question: LogQuestion }) {
  const { say, complain } = useStatus();
  const [count, setCount] = useState<number | null>(null);
  const controller = useRef<AbortController | null>(null);
  const start = useRef<HTMLButtonElement>(null);
  useEffect(() => () => controller.current?.abort(), []);

  async function save() {
    const running = new AbortController();
    controller.current = running;
    setCount(0);
    try {
      const rows: (readonly string[])[] = [words.columns];
      const batches = logLines(clients().data(), question, running.signal);
      let batch = await batches.next();
      for (; !batch.done; batch = await batches.next()) {
        rows.push(...batch.value.map(cellsOf));
        setCount(rows.length - 1);
      }
      running.signal.throwIfAborted();
      const lines = rows.length - 1;
      if (lines === 0) return say('No entries match, so no file was saved.');
      saveFile(csvFile(rows), `log-${new Date().toISOString().slice(0, 10)}.csv`);
      say(
        batch.value.complete
          ? `Exported ${lines === 1 ? '1 entry' : `${lines} entries`}.`
          : `Exported the newest ${lines} matching entries. For older ones, choose an earlier “To”.`,
      );
    } catch (error) {
      if (!running.signal.aborted) complain(messageOf(error, 'The export failed. No file was saved.'));
    } finally {
      setCount(null);
    }
  }

  return (
    <>
      <SmallButton ref={start} busy={count !== null} busyLabel={`Exporting, ${count} entries so far...`} onClick={save}>
        Export as CSV
      </SmallButton>
      {count !== null && (
        <SmallButton
          variant="quiet"
          onClick={() => {
            controller.current?.abort();
            start.current?.focus();
            say('The export was stopped. No file was saved.');
          }}
        >
          Stop
        </SmallButton>
      )}
    </>
  );
}
