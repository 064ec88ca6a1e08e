import type { Exchange } from '../exchange.ts';
import type { ReadRules } from './plan-read.ts';

export function readRules(exchange: Exchange): ReadRules {
  const { catalog, rules, db, caller, searches, oldNames } = exchange;
  return {
    catalog,
    maxRows: rules.maxRows,
    defaultRows: rules.defaultRows,
    aggregates: rules.aggregates || caller.role === 'service_role',
    simplePatternsOnly: db.engine === 'pglite',
    searches,
    oldNames,
    mayKnow: (table) => table.roles.has(caller.role),
  };
}
