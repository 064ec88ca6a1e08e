import { RestError } from '../errors.ts';

/** Every value is bound as text and converted by PostgreSQL, exactly as it would convert a literal. */
export class Parameters {
  readonly values: string[] = [];

  text(value: string): string {
    if (value.includes('\0')) throw new RestError(400, '22021', 'invalid byte sequence for encoding "UTF8": 0x00');
    this.values.push(value);
    return `$${this.values.length}::text`;
  }

  as(type: string, value: string): string {
    return `${this.text(value)}::${type}`;
  }

  list(type: string, values: readonly string[]): string {
    return this.as(`${type}[]`, arrayLiteral(values));
  }
}

export const arrayLiteral = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
