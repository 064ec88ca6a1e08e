import { beforeEach, describe, expect, it } from 'vitest';
import { type Transfer, Transfers } from './transfers.ts';

let ended: string[];
beforeEach(() => {
  ended = [];
});

const transfer = (name: string, address: string, moved: number, isLate?: Transfer['isLate']) => ({
  address,
  moved: () => moved,
  end: () => void ended.push(name),
  ...(isLate ? { isLate } : {}),
});

describe('transfers', () => {
  it('are limited to 64 per address; beyond, the slowest of that address is ended, not the newest or another client’s (H2)', () => {
    const transfers = new Transfers();
    transfers.add(transfer('of another', 'b', 0));
    for (let at = 0; at < 63; at++) transfers.add(transfer(`fast ${at}`, 'a', 1_000_000));
    transfers.add(transfer('slow', 'a', 1));
    expect(ended).toEqual([]);
    transfers.add(transfer('newcomer', 'a', 0));
    expect(ended).toEqual(['slow']);
  });

  it('are limited to 512 in all; beyond, the slowest one is ended (H2)', () => {
    const transfers = new Transfers();
    for (let at = 0; at < 512; at++) transfers.add(transfer(`${at}`, `address ${at}`, at === 300 ? 0 : 1_000_000));
    const leave = transfers.add(transfer('newcomer', 'n', 1_000_000));
    expect(ended).toEqual(['300']);
    leave();
    transfers.add(transfer('next', 'n', 0));
    expect(ended).toEqual(['300']);
  });

  it('end past their time limit, and the largest one when all buffers together exceed their limit', () => {
    const transfers = new Transfers();
    transfers.add(transfer('late', 'a', 10, (_age, moved) => moved < 20));
    transfers.add(transfer('in time', 'a', 30, (_age, moved) => moved < 20));
    transfers.add(transfer('heavy', 'b', 1_000_000));
    transfers.endLate();
    expect(ended).toEqual(['late']);
    transfers.endHeaviest();
    expect(ended).toEqual(['late', 'heavy']);
  });
});
