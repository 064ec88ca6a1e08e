// Long: requests and responses are one protocol.
import { type messages, type PGlite, protocol } from '@electric-sql/pglite';
import type { Result, Statement } from '../database.ts';
import { readValue, writeValue } from '../values.ts';

/** The engine violated the protocol or broke: its output cannot be trusted until a restart. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault';
  readonly tooComplex: boolean;
  constructor(message: string, tooComplex = false) {
    super(message);
    this.tooComplex = tooComplex;
  }
}

export interface Refusal {
  code: string;
  message: string;
  detail?: string | null;
  hint?: string | null;
  constraint?: string | null;
}

export interface Answer extends Result {
  /** Command tag without numbers: SELECT, COMMIT, ROLLBACK … */
  command: string;
}

export type Outcome = { answers: Answer[] } | { refusal: Refusal; at: number };

/** Shared memory, and two addresses in it, that the engine polls in every loop for a cancellation. */
export interface CancelFlags {
  memory: Int32Array;
  interrupt: number;
  cancel: number;
  /** Call numbers at the indices of `MARKS`. */
  marks: Int32Array;
}

/** Indices: last cancelled call, last abandoned call, last started call. */
export const MARKS = { cancelled: 0, givenUp: 1, begun: 2 } as const;

interface Prepared {
  name: string;
  parameters: number[];
  fields: messages.RowDescriptionMessage['fields'];
}

interface Exchange {
  answers: Answer[];
  refusal: Refusal | null;
  status: string | null;
  described: Prepared | null;
}

type Heard = (channel: string, payload: string) => void;
const { serialize, Parser } = protocol;
const MOST_PREPARED = 500;
const LONGJMP = 100;

export class Wire {
  readonly #pg: PGlite;
  readonly #heard: Heard;
  readonly #prepared = new Map<string, Prepared>();
  #named = 0;
  #forget = false;
  #status = 'I';
  #broken: unknown = null;
  readonly flags: CancelFlags;

  constructor(pg: PGlite, heard: Heard) {
    this.#pg = pg;
    this.#heard = heard;
    this.flags = flagsOf(pg);
    this.#watchMainLoop();
  }

  calm(): void {
    Atomics.store(this.flags.memory, this.flags.cancel, 0);
  }

  isMeant(number: number): boolean {
    return Atomics.load(this.flags.marks, MARKS.cancelled) === number;
  }

  /** @returns false when the caller gave up on this work; it checks after giving up whether the work was started */
  begin(number: number): boolean {
    Atomics.store(this.flags.marks, MARKS.begun, number);
    return Atomics.load(this.flags.marks, MARKS.givenUp) < number;
  }

  /** PGlite swallows everything thrown inside the engine, a stack overflow too, and reports success. */
  #watchMainLoop(): void {
    const module = this.#pg.Module as unknown as { _PostgresMainLoopOnce: () => void };
    const original = module._PostgresMainLoopOnce;
    module._PostgresMainLoopOnce = () => {
      try {
        original();
      } catch (error) {
        // The exit status of an ordinary SQL error.
        if ((error as { status?: number }).status !== LONGJMP) this.#broken ??= error;
        throw error;
      }
    };
  }

  /** In one message when all are prepared. @param block wraps them in a transaction @throws EngineFault */
  async run(statements: readonly Statement[], block?: { readOnly: boolean }): Promise<Outcome> {
    const zero = statements.findIndex(({ text }) => text.includes('\0'));
    if (zero >= 0) return { refusal: { code: '22021', message: 'SQL text holds a zero byte' }, at: zero };
    if (this.#status === 'I') await this.#forgetPrepared();
    const retry = this.#status === 'I';
    const outcome = await this.#attempt(statements, block);
    if ('answers' in outcome || !isStalePlan(outcome.refusal)) return outcome;
    this.#forget = true;
    return retry ? this.run(statements, block) : outcome;
  }

  async script(sql: string): Promise<Outcome> {
    const before = this.#status;
    const { answers, refusal, status } = await this.#exchange([serialize.query(sql)]);
    if (status === null) throw new EngineFault('The engine did not finish a script');
    // Prepared plans may refer to changed tables.
    this.#prepared.clear();
    this.#forget = true;
    if (refusal && before === 'I' && this.#status !== 'I') await this.#rollback();
    return refusal ? { refusal, at: answers.length } : { answers };
  }

  async #attempt(statements: readonly Statement[], block?: { readOnly: boolean }): Promise<Outcome> {
    const wrapped = block
      ? [{ text: block.readOnly ? 'begin read only' : 'begin' }, ...statements, { text: 'commit' }]
      : statements;
    const answers: Answer[] = [];
    let refusal: Refusal | null = null;
    let fields: Prepared['fields'][] = [];
    let outgoing: Uint8Array[] = [];
    const send = async () => {
      const exchange = await this.#exchange(outgoing, fields);
      outgoing = [];
      fields = [];
      answers.push(...exchange.answers);
      refusal = exchange.refusal;
      return exchange;
    };
    for (const statement of wrapped) {
      let prepared = this.#prepared.get(statement.text);
      if (!prepared) {
        const name = `s${this.#named++}`;
        outgoing.push(serialize.parse({ name, text: statement.text }), serialize.describe({ type: 'S', name }));
        outgoing.push(serialize.flush());
        const exchange = await send();
        if (refusal) break;
        if (!exchange.described) throw new EngineFault('The engine did not describe a statement');
        prepared = { ...exchange.described, name };
        this.#prepared.set(statement.text, prepared);
      }
      const values = bound(statement, prepared.parameters);
      if ('code' in values) {
        refusal = values;
        break;
      }
      outgoing.push(serialize.bind({ statement: prepared.name, values: values.texts }), serialize.execute());
      fields.push(prepared.fields);
    }
    const early: Refusal | null = refusal;
    outgoing.push(serialize.sync());
    const last = await send();
    refusal = early ?? refusal;
    // Cancelled after everything was committed: not a rejection.
    if (answers.length === wrapped.length && answers.at(-1)?.command === 'COMMIT') refusal = null;
    if (last.status === null) throw new EngineFault('The engine did not finish a message');
    if (!refusal && answers.length !== wrapped.length)
      throw new EngineFault(`The engine answered ${answers.length} of ${wrapped.length} statements`);
    if (block && last.status !== 'I') await this.#rollback();
    if (refusal) return { refusal, at: answers.length - (block ? 1 : 0) };
    if (block && answers.at(-1)?.command !== 'COMMIT') throw new EngineFault('The engine did not commit');
    return { answers: block ? answers.slice(1, -1) : answers };
  }

  async #rollback(): Promise<void> {
    this.calm();
    const { status } = await this.#exchange([serialize.query('rollback')]);
    if (status !== 'I') throw new EngineFault('The engine did not roll back');
  }

  async #forgetPrepared(): Promise<void> {
    if (!this.#forget && this.#prepared.size < MOST_PREPARED) return;
    this.#forget = false;
    this.#prepared.clear();
    await this.#exchange([serialize.query('deallocate all')]);
  }

  async #exchange(outgoing: Uint8Array[], fields: Prepared['fields'][] = []): Promise<Exchange> {
    const incoming: Uint8Array[] = [];
    await this.#pg.execProtocolRawStream(Buffer.concat(outgoing), {
      syncToFs: false,
      // The bytes are in the engine's memory and change with its next step.
      onRawData: (bytes) => incoming.push(bytes.slice()),
    });
    if (this.#broken) throw faultOf(this.#broken);
    const exchange = readExchange(Buffer.concat(incoming), fields, this.#heard);
    if (exchange.status) this.#status = exchange.status;
    return exchange;
  }
}

function readExchange(bytes: Uint8Array, fields: Prepared['fields'][], heard: Heard): Exchange {
  const exchange: Exchange = { answers: [], refusal: null, status: null, described: null };
  let described: Pick<Prepared, 'parameters' | 'fields'> | null = null;
  let rows: Record<string, unknown>[] = [];
  let columns = fields[0] ?? [];
  const finish = (command: string, affected: number) => {
    exchange.answers.push({ rows, affected, command });
    rows = [];
    columns = fields[exchange.answers.length] ?? [];
  };
  new Parser().parse(bytes, (message) => {
    switch (message.name) {
      case 'parameterDescription':
        described = { parameters: (message as messages.ParameterDescriptionMessage).dataTypeIDs, fields: [] };
        break;
      case 'rowDescription':
        columns = (message as messages.RowDescriptionMessage).fields;
        if (described) described.fields = columns;
        break;
      case 'dataRow':
        rows.push(rowOf((message as messages.DataRowMessage).fields, columns));
        break;
      case 'commandComplete': {
        const tag = (message as messages.CommandCompleteMessage).text;
        finish(
          tag.replace(/[ \d]+$/, ''),
          /^(INSERT|UPDATE|DELETE|MERGE|COPY)/.test(tag) ? Number(/\d+$/.exec(tag)?.[0] ?? 0) : 0,
        );
        break;
      }
      case 'emptyQuery':
        finish('', 0);
        break;
      case 'readyForQuery':
        exchange.status = (message as messages.ReadyForQueryMessage).status;
        break;
      case 'notification': {
        const { channel, payload } = message as messages.NotificationResponseMessage;
        heard(channel, payload);
        break;
      }
      case 'error':
        exchange.refusal ??= refusalOf(message as messages.DatabaseError);
        break;
    }
  });
  if (described) exchange.described = { ...(described as Pick<Prepared, 'parameters' | 'fields'>), name: '' };
  return exchange;
}

function rowOf(texts: (string | null)[], columns: Prepared['fields']): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    const text = texts[index] ?? null;
    row[column.name] = text === null ? null : readValue(text, column.dataTypeID);
  }
  return row;
}

function bound(statement: Statement, types: number[]): { texts: (string | null)[] } | Refusal {
  try {
    return {
      texts: (statement.values ?? []).map((value, index) =>
        value === null || value === undefined ? null : writeValue(value, types[index] ?? 0),
      ),
    };
  } catch (error) {
    return { code: '22023', message: `A parameter cannot be written: ${(error as Error).message}` };
  }
}

function flagsOf(pg: PGlite): CancelFlags {
  const { _InterruptPending, _QueryCancelPending, wasmMemory } = pg.Module as unknown as Record<string, unknown>;
  if (typeof _InterruptPending !== 'number' || typeof _QueryCancelPending !== 'number')
    throw new EngineFault('The engine does not tell where it looks for interrupts');
  const memory = new Int32Array((wasmMemory as WebAssembly.Memory).buffer);
  const [interrupt, cancel] = [_InterruptPending, _QueryCancelPending].map(
    (address) => address / memory.BYTES_PER_ELEMENT,
  );
  const marks = new Int32Array(new SharedArrayBuffer(Object.keys(MARKS).length * Int32Array.BYTES_PER_ELEMENT));
  return { memory, interrupt: interrupt!, cancel: cancel!, marks };
}

const refusalOf = (error: messages.DatabaseError): Refusal => ({
  code: error.code ?? 'XX000',
  message: error.message,
  detail: error.detail ?? null,
  hint: error.hint ?? null,
  constraint: error.constraint ?? null,
});

const isStalePlan = ({ code, message }: Refusal) => code === '0A000' && message.includes('cached plan');

const faultOf = (error: unknown) =>
  new EngineFault(
    `The engine broke: ${error instanceof Error ? error.message : JSON.stringify(error)}`,
    error instanceof RangeError,
  );
