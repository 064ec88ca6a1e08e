export interface ViewColumn {
  name: string;
  relation: string;
  number: number;
}

/** From `pg_rewrite.ev_action`; information_schema does not say which view column a table's column becomes. */
export function viewColumns(rule: string): ViewColumn[] {
  const columns: ViewColumn[] = [];
  for (const entry of topLevelNodes(rule, outerTargetList(rule))) {
    const tail = entry.slice(entry.lastIndexOf(' :resno '));
    const name = unescaped(wordAfter(tail, ' :resname '));
    const relation = wordAfter(tail, ' :resorigtbl ');
    const number = Number(wordAfter(tail, ' :resorigcol '));
    if (relation !== '0' && number > 0 && wordAfter(tail, ' :resjunk ') === 'false')
      columns.push({ name, relation, number });
  }
  return columns;
}

/** Target lists of CTEs, sub-selects and conditions may come first, but deeper. */
function outerTargetList(text: string): number {
  const label = ':targetList (';
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '{') depth++;
    else if (character === '}') depth--;
    else if (character === ':' && depth === 1 && text.startsWith(label, at)) return at + label.length;
  }
  return text.length;
}

/** Braces in names are escaped by a backslash. */
function topLevelNodes(text: string, from: number): string[] {
  const nodes: string[] = [];
  let depth = 0;
  let start = from;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '{' && depth++ === 0) start = at;
    else if (character === '}' && --depth === 0) nodes.push(text.slice(start, at));
    else if (character === ')' && depth === 0) break;
  }
  return nodes;
}

function wordAfter(text: string, label: string): string {
  const start = text.indexOf(label);
  if (start < 0) return '';
  let end = start + label.length;
  while (end < text.length && text[end] !== ' ') end += text[end] === '\\' ? 2 : 1;
  return text.slice(start + label.length, end);
}

const unescaped = (word: string) => word.replace(/\\(.)/g, '$1');
