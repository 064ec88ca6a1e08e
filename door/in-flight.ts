import type { IncomingMessage, ServerResponse } from 'node:http';
import { visitorOf } from './visitor.ts';

const PER_ADDRESS = 64;
const IN_ALL = 256;

/** Counts requests being answered, so one visitor cannot take every place (threat model §8). */
export class InFlight {
  readonly #byAddress = new Map<string, number>();
  #all = 0;

  /** Takes a place until the response is over. Answers the status of a refusal, or null. */
  enter(request: IncomingMessage, response: ServerResponse, trustProxy: number): 429 | 503 | null {
    if (this.#all >= IN_ALL) return 503;
    const { address } = visitorOf(request, trustProxy);
    const mine = this.#byAddress.get(address) ?? 0;
    if (mine >= PER_ADDRESS) return 429;
    this.#all++;
    this.#byAddress.set(address, mine + 1);
    response.once('close', () => {
      this.#all--;
      const left = this.#byAddress.get(address)! - 1;
      if (left === 0) this.#byAddress.delete(address);
      else this.#byAddress.set(address, left);
    });
    return null;
  }
}
