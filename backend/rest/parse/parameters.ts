import { RestError } from '../errors.ts';

/** The values of one statement. Every value is bound as text and converted by PostgreSQL, exactly as it would convert a literal. */
export class Parameters {
  readonly values: string[] = [];

  /** @returns the placeholder, typed text */
  text(value: string): string {
    if (value.includes('\0')) throw new RestError(400, '22021', 'invalid byte sequence for encoding "UTF8": 0x00');
    this.values.push(value);
    return `$${this.values.length}::text`;
  }

  /** @param type quoted type name from the catalogue */
  as(type: string, value: string): string {
    return `${this.text(value)}::${type}`;
  }

  /** Several values as an array of `type`. */
  list(type: string, values: readonly string[]): string {
    return this.as(`${type}[]`, arrayLiteral(values));
  }
}

/** `{"a","b"}`, as PostgreSQL reads arrays. */
export const arrayLiteral = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
