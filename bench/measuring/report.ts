export function ratio(label: string, ours: number, limit: number, unit: string, goal?: number): void {
  const value = ours / limit;
  const goalText = goal === undefined ? '' : `  (goal ${goal.toFixed(2)}${value >= goal ? ', met' : ', MISSED'})`;
  const format = (number: number) => number.toFixed(unit === 'ms' ? 1 : 0).padStart(8);
  const compared = `limit ${format(limit)}  ratio ${value.toFixed(2)}${goalText}`;
  figure(label, `${format(ours)} ${unit.padEnd(6)} ${compared}`);
}

export const figure = (label: string, value: string): void => console.log(`${label.padEnd(46)} ${value}`);
