import { errors } from '../errors.ts';

const MAX_LENGTH = 64;
/** NFA positions: characters of the pattern with bounded repetitions expanded. */
const MAX_POSITIONS = 100;
const MAX_DEPTH = 3;

/** An escape, a class, an opening bracket, a repetition, or any other character. */
const TOKEN = /\\.?|\[(?:\\.|\[:[a-z]+:\]|[^\\\][])*[\][]?|\(\?:?|(?:[*+?]|\{[^}]*\}?)\??|./gsu;
const CLASS = /^\[(?:\\.|\[:[a-z]+:\]|[^\\\][])+(?<end>[\][])$/su;
const BOUND = /^\{(\d{1,3})(?:(,)|,(\d{1,3}))?\}\??$/;

type Part = { positions: number; repeats: boolean };

type Group = Part & { last: Part | null; isBranchEmpty: boolean };

/** Only what compiles without deep recursion and matches in linear time (decision 063). @throws RestError 400 PGRST127 */
export function requireSimplePattern(pattern: string, quantifier: 'any' | 'all' | null = null): void {
  if (quantifier) reject(`several in one filter (${quantifier}), write one filter for each`);
  if ([...pattern].length > MAX_LENGTH) reject(`longer than ${MAX_LENGTH} characters`);
  const groups = [newGroup()];
  for (const { 0: token, index } of pattern.matchAll(TOKEN)) {
    const group = groups.at(-1)!;
    const isOutermost = groups.length === 1;
    const first = token[0]!;
    if (first === '(') {
      if (token === '(?') reject('look-around or options');
      if (groups.length > MAX_DEPTH) reject(`brackets nested more than ${MAX_DEPTH} deep`);
      groups.push(newGroup());
    } else if (first === ')') {
      if (isOutermost) reject('a closing bracket without an opening one');
      endBranch(group);
      groups.pop();
      add(groups.at(-1)!, group);
    } else if (first === '|') endBranch(group);
    else if (first === '^' || first === '$') {
      const isAtEnd = token === '^' ? group.isBranchEmpty : [undefined, '|'].includes(pattern[index + 1]);
      if (!isOutermost || !isAtEnd) reject(`${token} anywhere but at the ends`);
      Object.assign(group, { last: null, isBranchEmpty: false });
    } else if ('*+?{'.includes(first)) repeat(group, token);
    else if (first === '}' || first === ']') reject(`${token} where a character is expected`);
    else {
      if (first === '[') requireSimpleClass(token);
      else requireSimpleEscapes(token);
      add(group, { positions: 1, repeats: false });
    }
  }
  if (groups.length > 1) reject('a bracket that is not closed');
  endBranch(groups[0]!);
}

function reject(reason: string): never {
  throw errors.notOffered(
    `The embedded database does not match this regular expression: ${reason}`,
    'Use like, ilike or a text search such as plfts, or run this server on PostgreSQL',
  );
}

const newGroup = (): Group => ({ positions: 0, repeats: false, last: null, isBranchEmpty: true });

function endBranch(group: Group): void {
  if (group.isBranchEmpty) reject('an empty alternative');
  Object.assign(group, { last: null, isBranchEmpty: true });
}

function add(group: Group, { positions, repeats }: Part): void {
  Object.assign(group, { last: { positions, repeats }, isBranchEmpty: false });
  group.repeats ||= repeats;
  addPositions(group, positions);
}

function addPositions(group: Group, positions: number): void {
  group.positions += positions;
  if (group.positions > MAX_POSITIONS) reject(`more than ${MAX_POSITIONS} characters with its bounds written out`);
}

function repeat(group: Group, token: string): void {
  const { last } = group;
  if (!last) reject(`${token[0]} where a character is expected`);
  if (last.repeats && token[0] !== '?') reject('a repetition inside a repetition');
  Object.assign(group, { last: null, repeats: true });
  if (token[0] !== '{') return;
  const [, minimum, isOpen, maximum] = BOUND.exec(token) ?? reject('a bound that is not a number');
  const copies = Math.max(1, Number(maximum ?? minimum) + (isOpen ? 1 : 0));
  addPositions(group, last.positions * (copies - 1));
}

function requireSimpleClass(token: string): void {
  if (/^\[\^?\]/.test(token)) reject('] where a character is expected');
  requireSimpleEscapes(token);
  const end = token === '[[' ? '[' : CLASS.exec(token)?.groups?.['end'];
  if (end !== ']') reject(end ? '[ inside square brackets' : 'its end is missing');
}

function requireSimpleEscapes(token: string): void {
  for (const [escaped, character] of token.matchAll(/\\(.?)/gsu)) {
    if (!character) reject('its end is missing');
    if (/[^\W_]/.test(character) && !'dDsSwW'.includes(character)) reject(escaped);
  }
}
