/** Prints one line: a figure compared with its limit of the same run. */
export function ratio(what: string, ours: number, limit: number, unit: string, goal?: number): void {
  const value = ours / limit;
  const wanted = goal === undefined ? '' : `  (goal ${goal.toFixed(2)}${value >= goal ? ', met' : ', MISSED'})`;
  console.log(
    `${what.padEnd(46)} ${ours.toFixed(unit === 'ms' ? 1 : 0).padStart(8)} ${unit.padEnd(6)} limit ${limit.toFixed(unit === 'ms' ? 1 : 0).padStart(8)}  ratio ${value.toFixed(2)}${wanted}`,
  );
}

export const figure = (what: string, value: string): void => console.log(`${what.padEnd(46)} ${value}`);
