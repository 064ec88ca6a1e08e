import { quoteName } from '../../database/database.ts';
import { SCALAR } from '../catalog/catalog.ts';
import { arrayLiteral, type Parameters } from '../parse/parameters.ts';
import type { CallPlan } from '../plan/plan.ts';

export type Arguments = { json: string } | { values: ReadonlyMap<string, readonly string[]> };

export function callSql(plan: CallPlan, args: Arguments, keepsRow: boolean, parameters: Parameters): string {
  const { routine } = plan;
  const passed = routine.parameters.filter(({ name }) => plan.argumentNames.includes(name));
  let from = '';
  let list: string;
  if (plan.source === 'body') {
    list = parameters.as(routine.parameters[0]!.column.type, 'json' in args ? args.json : '');
  } else if ('json' in args) {
    const typed = passed.map(({ column }) => `${column.sql} ${column.type}`).join(', ');
    if (passed.length) from = `json_to_record(${parameters.text(args.json)}::json) as pgrst_args(${typed}), lateral `;
    list = passed
      .map(({ column, variadic }) => namedArgument(column.sql, variadic, `pgrst_args.${column.sql}`))
      .join(', ');
  } else {
    list = passed
      .map(({ name, column, variadic }) => {
        const values = args.values.get(name) ?? [];
        const text = variadic ? arrayLiteral(values) : (values.at(-1) ?? '');
        return namedArgument(column.sql, variadic, parameters.as(column.type, text));
      })
      .join(', ');
  }
  const call = `${routine.sql}(${list})`;
  if (routine.returns !== 'composite')
    return `select pgrst_call.${quoteName(SCALAR)} from ${from}${call} as pgrst_call(${quoteName(SCALAR)})`;
  return `select pgrst_call.*${keepsRow ? ', pgrst_call as pgrst_row' : ''} from ${from}${call} as pgrst_call`;
}

const namedArgument = (name: string, variadic: boolean, value: string) =>
  `${variadic ? 'variadic ' : ''}${name} => ${value}`;
