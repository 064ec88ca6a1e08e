// Long: requests and responses are one protocol.
import { type messages, type PGlite, protocol } from '@electric-sql/pglite';
import type { DatabaseError, Result, Statement } from '../database.ts';
import { readValue, writeValue } from '../values.ts';

/** The engine violated the protocol or broke: its output cannot be trusted until a restart. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault';
  readonly isStackOverflow: boolean;
  constructor(message: string, isStackOverflow = false) {
    super(message);
    this.isStackOverflow = isStackOverflow;
  }
}

export type SqlError = ConstructorParameters<typeof DatabaseError>[0];

export interface StatementResult extends Result {
  /** Command tag without numbers: SELECT, COMMIT, ROLLBACK … */
  command: string;
}

export type RunOutcome = { results: StatementResult[] } | { error: SqlError; at: number };

/** Shared memory, and two addresses in it, that the engine polls in every loop for a cancellation. */
export type CancelFlags = { memory: Int32Array; interrupt: number; cancel: number; marks: Int32Array };

/** Indices: last cancelled call, last abandoned call, last started call. */
export const CALL_MARKS = { cancelled: 0, abandoned: 1, started: 2 } as const;

type Prepared = { name: string; parameters: number[]; fields: messages.RowDescriptionMessage['fields'] };

interface WireExchange {
  results: StatementResult[];
  error: SqlError | null;
  status: string | null;
  description: Prepared | null;
}

type OnNotification = (channel: string, payload: string) => void;
const { serialize, Parser } = protocol;
const MAX_PREPARED = 500;
const LONGJMP_STATUS = 100;

export class Wire {
  readonly #pg: PGlite;
  readonly #onNotification: OnNotification;
  readonly #prepared = new Map<string, Prepared>();
  #statementCount = 0;
  #mustDeallocate = false;
  #status = 'I';
  #fault: unknown = null;
  readonly flags: CancelFlags;

  constructor(pg: PGlite, onNotification: OnNotification) {
    this.#pg = pg;
    this.#onNotification = onNotification;
    this.flags = findCancelFlags(pg);
    this.#catchEngineErrors();
  }

  clearCancellation = () => Atomics.store(this.flags.memory, this.flags.cancel, 0);

  isCancelled = (number: number) => Atomics.load(this.flags.marks, CALL_MARKS.cancelled) === number;

  /** @returns false when the caller abandoned the call. The caller then checks whether it had started */
  markStarted(number: number): boolean {
    Atomics.store(this.flags.marks, CALL_MARKS.started, number);
    return Atomics.load(this.flags.marks, CALL_MARKS.abandoned) < number;
  }

  /** PGlite swallows everything thrown inside the engine, a stack overflow too, and reports success. */
  #catchEngineErrors(): void {
    const module = this.#pg.Module as unknown as { _PostgresMainLoopOnce: () => void };
    const original = module._PostgresMainLoopOnce;
    module._PostgresMainLoopOnce = () => {
      try {
        original();
      } catch (error) {
        // The exit status of an ordinary SQL error.
        if ((error as { status?: number }).status !== LONGJMP_STATUS) this.#fault ??= error;
        throw error;
      }
    };
  }

  /** In one message when all are prepared. @param block wraps them in a transaction @throws EngineFault */
  async run(statements: readonly Statement[], block?: { readOnly: boolean }): Promise<RunOutcome> {
    const zeroByteIndex = statements.findIndex(({ text }) => text.includes('\0'));
    if (zeroByteIndex >= 0)
      return { error: { code: '22021', message: 'SQL text holds a zero byte' }, at: zeroByteIndex };
    if (this.#status === 'I') await this.#deallocatePrepared();
    const retry = this.#status === 'I';
    const outcome = await this.#attempt(statements, block);
    if ('results' in outcome || !isStalePlan(outcome.error)) return outcome;
    this.#mustDeallocate = true;
    return retry ? this.run(statements, block) : outcome;
  }

  async script(sql: string): Promise<RunOutcome> {
    const before = this.#status;
    const { results, error, status } = await this.#exchange([serialize.query(sql)]);
    if (status === null) throw new EngineFault('The engine did not finish a script');
    // Prepared plans may refer to changed tables.
    this.#prepared.clear();
    this.#mustDeallocate = true;
    if (error && before === 'I' && this.#status !== 'I') await this.#rollback();
    return error ? { error, at: results.length } : { results };
  }

  async #attempt(statements: readonly Statement[], block?: { readOnly: boolean }): Promise<RunOutcome> {
    const wrapped = block
      ? [{ text: block.readOnly ? 'begin read only' : 'begin' }, ...statements, { text: 'commit' }]
      : statements;
    const results: StatementResult[] = [];
    let error: SqlError | null = null;
    let fields: Prepared['fields'][] = [];
    let outgoing: Uint8Array[] = [];
    const send = async () => {
      const exchange = await this.#exchange(outgoing, fields);
      outgoing = [];
      fields = [];
      results.push(...exchange.results);
      error = exchange.error;
      return exchange;
    };
    for (const statement of wrapped) {
      let prepared = this.#prepared.get(statement.text);
      if (!prepared) {
        const name = `s${this.#statementCount++}`;
        outgoing.push(serialize.parse({ name, text: statement.text }), serialize.describe({ type: 'S', name }));
        outgoing.push(serialize.flush());
        const exchange = await send();
        if (error) break;
        if (!exchange.description) throw new EngineFault('The engine did not describe a statement');
        prepared = { ...exchange.description, name };
        this.#prepared.set(statement.text, prepared);
      }
      const values = bindValues(statement, prepared.parameters);
      if ('code' in values) {
        error = values;
        break;
      }
      outgoing.push(serialize.bind({ statement: prepared.name, values: values.texts }), serialize.execute());
      fields.push(prepared.fields);
    }
    const bindError: SqlError | null = error;
    outgoing.push(serialize.sync());
    const last = await send();
    error = bindError ?? error;
    // Cancelled after the commit: not an error.
    if (results.length === wrapped.length && results.at(-1)?.command === 'COMMIT') error = null;
    if (last.status === null) throw new EngineFault('The engine did not finish a message');
    if (!error && results.length !== wrapped.length)
      throw new EngineFault(`The engine returned ${results.length} results for ${wrapped.length} statements`);
    if (block && last.status !== 'I') await this.#rollback();
    if (error) return { error, at: results.length - (block ? 1 : 0) };
    if (block && results.at(-1)?.command !== 'COMMIT') throw new EngineFault('The engine did not commit');
    return { results: block ? results.slice(1, -1) : results };
  }

  async #rollback(): Promise<void> {
    this.clearCancellation();
    const { status } = await this.#exchange([serialize.query('rollback')]);
    if (status !== 'I') throw new EngineFault('The engine did not roll back');
  }

  async #deallocatePrepared(): Promise<void> {
    if (!this.#mustDeallocate && this.#prepared.size < MAX_PREPARED) return;
    this.#mustDeallocate = false;
    this.#prepared.clear();
    await this.#exchange([serialize.query('deallocate all')]);
  }

  async #exchange(outgoing: Uint8Array[], fields: Prepared['fields'][] = []): Promise<WireExchange> {
    const incoming: Uint8Array[] = [];
    await this.#pg.execProtocolRawStream(Buffer.concat(outgoing), {
      syncToFs: false,
      // The bytes are in the engine's memory and change with its next step.
      onRawData: (bytes) => incoming.push(bytes.slice()),
    });
    if (this.#fault) throw toFault(this.#fault);
    const exchange = readExchange(Buffer.concat(incoming), fields, this.#onNotification);
    if (exchange.status) this.#status = exchange.status;
    return exchange;
  }
}

function readExchange(bytes: Uint8Array, fields: Prepared['fields'][], onNotification: OnNotification): WireExchange {
  const exchange: WireExchange = { results: [], error: null, status: null, description: null };
  let rows: Record<string, unknown>[] = [];
  let columns = fields[0] ?? [];
  const finish = (command: string, affected: number) => {
    exchange.results.push({ rows, affected, command });
    rows = [];
    columns = fields[exchange.results.length] ?? [];
  };
  new Parser().parse(bytes, (message) => {
    const { name } = message;
    if (name === 'parameterDescription') {
      const { dataTypeIDs } = message as messages.ParameterDescriptionMessage;
      exchange.description = { name: '', parameters: dataTypeIDs, fields: [] };
    } else if (name === 'rowDescription') {
      columns = (message as messages.RowDescriptionMessage).fields;
      if (exchange.description) exchange.description.fields = columns;
    } else if (name === 'dataRow') rows.push(toRow((message as messages.DataRowMessage).fields, columns));
    else if (name === 'commandComplete') {
      const tag = (message as messages.CommandCompleteMessage).text;
      const isWrite = /^(INSERT|UPDATE|DELETE|MERGE|COPY)/.test(tag);
      finish(tag.replace(/[ \d]+$/, ''), isWrite ? Number(/\d+$/.exec(tag)?.[0] ?? 0) : 0);
    } else if (name === 'emptyQuery') finish('', 0);
    else if (name === 'readyForQuery') exchange.status = (message as messages.ReadyForQueryMessage).status;
    else if (name === 'notification') {
      const { channel, payload } = message as messages.NotificationResponseMessage;
      onNotification(channel, payload);
    } else if (name === 'error') exchange.error ??= toSqlError(message as messages.DatabaseError);
  });
  return exchange;
}

function toRow(texts: (string | null)[], columns: Prepared['fields']): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    const text = texts[index] ?? null;
    row[column.name] = text === null ? null : readValue(text, column.dataTypeID);
  }
  return row;
}

function bindValues(statement: Statement, types: number[]): { texts: (string | null)[] } | SqlError {
  try {
    const texts = (statement.values ?? []).map((value, index) =>
      value === null || value === undefined ? null : writeValue(value, types[index] ?? 0),
    );
    return { texts };
  } catch (error) {
    return { code: '22023', message: `A parameter cannot be written: ${(error as Error).message}` };
  }
}

function findCancelFlags(pg: PGlite): CancelFlags {
  const { _InterruptPending, _QueryCancelPending, wasmMemory } = pg.Module as unknown as Record<string, unknown>;
  if (typeof _InterruptPending !== 'number' || typeof _QueryCancelPending !== 'number')
    throw new EngineFault('The engine does not export the addresses of its interrupt flags');
  const memory = new Int32Array((wasmMemory as WebAssembly.Memory).buffer);
  const indexOf = (address: number) => address / memory.BYTES_PER_ELEMENT;
  const marks = new Int32Array(new SharedArrayBuffer(Object.keys(CALL_MARKS).length * Int32Array.BYTES_PER_ELEMENT));
  return { memory, interrupt: indexOf(_InterruptPending), cancel: indexOf(_QueryCancelPending), marks };
}

function toSqlError({ code = 'XX000', message, detail, hint, constraint }: messages.DatabaseError): SqlError {
  return { code, message, detail, hint, constraint };
}

const isStalePlan = ({ code, message }: SqlError) => code === '0A000' && message.includes('cached plan');

const toFault = (error: unknown) =>
  new EngineFault(
    `The engine broke: ${error instanceof Error ? error.message : JSON.stringify(error)}`,
    error instanceof RangeError,
  );
