import { quoteName } from '../../database/database.ts';
import { SCALAR } from '../catalog/catalog.ts';
import { arrayLiteral, type Parameters } from '../parse/parameters.ts';
import type { CallPlan } from '../plan/plan.ts';

export type Arguments = { json: string } | { values: ReadonlyMap<string, readonly string[]> };

export function callSql(plan: CallPlan, given: Arguments, keepsRow: boolean, parameters: Parameters): string {
  const { routine } = plan;
  const used = routine.parameters.filter(({ name }) => plan.given.includes(name));
  let from = '';
  let list: string;
  if (plan.source === 'body') {
    list = parameters.as(routine.parameters[0]!.column.type, 'json' in given ? given.json : '');
  } else if ('json' in given) {
    const typed = used.map(({ column }) => `${column.sql} ${column.type}`).join(', ');
    if (used.length) from = `json_to_record(${parameters.text(given.json)}::json) as pgrst_args(${typed}), lateral `;
    list = used.map(({ column, variadic }) => named(column.sql, variadic, `pgrst_args.${column.sql}`)).join(', ');
  } else {
    list = used
      .map(({ name, column, variadic }) => {
        const values = given.values.get(name) ?? [];
        const text = variadic ? arrayLiteral(values) : (values.at(-1) ?? '');
        return named(column.sql, variadic, parameters.as(column.type, text));
      })
      .join(', ');
  }
  const call = `${routine.sql}(${list})`;
  if (routine.returns !== 'composite')
    return `select pgrst_call.${quoteName(SCALAR)} from ${from}${call} as pgrst_call(${quoteName(SCALAR)})`;
  return `select pgrst_call.*${keepsRow ? ', pgrst_call as pgrst_row' : ''} from ${from}${call} as pgrst_call`;
}

const named = (name: string, variadic: boolean, value: string) => `${variadic ? 'variadic ' : ''}${name} => ${value}`;
