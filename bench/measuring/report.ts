export function ratio(label: string, ours: number, limit: number, unit: string, goal?: number): void {
  const value = ours / limit;
  const goalText = goal === undefined ? '' : `  (goal ${goal.toFixed(2)}${value >= goal ? ', met' : ', MISSED'})`;
  console.log(
    `${label.padEnd(46)} ${ours.toFixed(unit === 'ms' ? 1 : 0).padStart(8)} ${unit.padEnd(6)} limit ${limit.toFixed(unit === 'ms' ? 1 : 0).padStart(8)}  ratio ${value.toFixed(2)}${goalText}`,
  );
}

export const figure = (label: string, value: string): void => console.log(`${label.padEnd(46)} ${value}`);
