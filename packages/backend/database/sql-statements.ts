export type ScriptStatement = { text: string; line: number };

/** Tokens in which a semicolon does not end a statement. */
const TOKEN =
  /--[^\n]*|(?<dollar>\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)|(?<escape>\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'?)|'(?:[^']|'')*'?|"(?:[^"]|"")*"?|(?<comment>\/\*)|(?<word>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)|(?<number>\d[\w$.]*)|(?<end>;)|(?<open>[([])|(?<close>[)\]])/g;

/** Splits a script as psql does: strings, comments, dollar quotes, parentheses and `begin atomic` bodies stay whole. */
export function splitStatements(script: string): ScriptStatement[] {
  const statements: ScriptStatement[] = [];
  let start = 0;
  let parentheses = 0;
  let words: string[] = [];
  let blocks = 0;
  const addStatement = (end: number) => {
    const raw = script.slice(start, end);
    const text = raw.trim();
    const lead = raw.length - raw.trimStart().length;
    if (hasSql(text)) statements.push({ text, line: script.slice(0, start + lead).split('\n').length });
    start = end + 1;
    words = [];
    blocks = 0;
    parentheses = 0;
  };
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(script); match; match = TOKEN.exec(script)) {
    const { dollar, comment, word, end, open, close } = match.groups!;
    if (dollar) {
      const closing = script.indexOf(dollar, TOKEN.lastIndex);
      TOKEN.lastIndex = closing < 0 ? script.length : closing + dollar.length;
    } else if (comment) TOKEN.lastIndex = endOfComment(script, match.index);
    else if (open) parentheses++;
    else if (close) parentheses--;
    else if (word) {
      const lower = word.toLowerCase();
      if (lower === 'atomic' && words.at(-1) === 'begin' && words[0] === 'create') blocks = 1;
      else if (blocks && lower === 'case') blocks++;
      else if (blocks && lower === 'end') blocks--;
      words = words.length < 8 ? [...words, lower] : [words[0]!, ...words.slice(2), lower];
    } else if (end && parentheses <= 0 && blocks === 0) addStatement(match.index);
  }
  addStatement(script.length);
  return statements;
}

/** Block comments nest in PostgreSQL. */
function endOfComment(script: string, at: number): number {
  const delimiter = /\/\*|\*\//g;
  delimiter.lastIndex = at;
  let depth = 0;
  for (let match = delimiter.exec(script); match; match = delimiter.exec(script)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return delimiter.lastIndex;
  }
  return script.length;
}

const hasSql = (text: string) => text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() !== '';
