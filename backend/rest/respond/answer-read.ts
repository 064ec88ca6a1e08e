import type { Table } from '../catalog/catalog.ts';
import { errors } from '../errors.ts';
import { type Answer, type Exchange, mayDescribe } from '../exchange.ts';
import { mediaTypeOf } from '../parse/media-type.ts';
import { Parameters } from '../parse/parameters.ts';
import { parseQuery } from '../parse/query.ts';
import { requestedRange } from '../parse/range.ts';
import { planRead, readRules } from '../plan/plan-read.ts';
import { bodyText } from '../sql/body.ts';
import { countingOf, totalSql, withEstimate } from '../sql/count-rows.ts';
import { outputNames, ReadSql } from '../sql/read.ts';
import { explain, RESPONSE_SETTINGS, run, withinAnswer } from '../sql/run.ts';
import { respondRows } from './respond.ts';

export async function answerRead(exchange: Exchange, table: Table): Promise<Answer> {
  const { preferences, limits, method } = exchange;
  if (preferences.handling === 'strict' && preferences.invalid.length) throw errors.preferences(preferences.invalid);
  const query = parseQuery(exchange.search, limits);
  requestedRange(exchange, query.root);
  const media = mediaTypeOf(exchange.accept, mayDescribe(exchange));
  const plan = planRead(query, table, readRules(exchange));
  const parameters = new Parameters();
  const sql = new ReadSql(plan, parameters);
  const body = method === 'HEAD' && media.kind !== 'plan' ? 'null' : bodyText(media, outputNames(plan));
  const page = sql.rows();
  const counting = countingOf(exchange, plan);
  const total = totalSql(counting, sql, exchange);
  const statement = {
    text: withinAnswer(
      `select count(*)::int as rows, ${total} as total, ${body} as body, ${RESPONSE_SETTINGS} from (${page}) pgrst_rows`,
      limits,
    ),
    values: parameters.values,
  };
  if (media.kind === 'plan') {
    const text = await explain(exchange, statement, media, true);
    return { status: 200, body: method === 'HEAD' ? null : text, headers: { 'content-type': media.contentType } };
  }
  const outcome = await run(exchange, statement, { readOnly: true });
  return respondRows(exchange, media, plan.offset, await withEstimate(counting, exchange, plan, outcome));
}
