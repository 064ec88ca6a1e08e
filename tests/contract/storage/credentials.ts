import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileOf, newPath, png } from './files.ts';
import { type House, openHouse, type TestStore } from './house.ts';
import { signed } from './signed-picture.ts';

export function credentialTests(store: TestStore): void {
  let house: House;
  beforeAll(async () => {
    house = await openHouse({ store });
  });
  afterAll(() => house.close());

  const BUCKET = 'case-studies';
  const MACHINE = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';

  const drawn = async (kind: 'jpeg' | 'png' | 'webp' | 'avif') =>
    sharp(await png(70, 50))
      .toFormat(kind)
      .toBuffer();

  /** Uploads a picture and answers what is kept of its origin. */
  async function toldBy(bytes: Uint8Array, kind: string): Promise<Record<string, unknown> | undefined> {
    const path = newPath(kind === 'jpeg' ? 'jpg' : kind);
    const { error } = await house
      .client()
      .from(BUCKET)
      .upload(path, fileOf(bytes, `image/${kind}`));
    expect(error).toBeNull();
    const { rows } = await house.db.query<{ told: Record<string, unknown> }>(
      `select metadata -> 'provenance' as told from storage.objects where name = $1`,
      [path],
    );
    return rows[0]!.told ?? undefined;
  }

  describe('content credentials in an uploaded file', () => {
    it.each(['jpeg', 'png', 'webp', 'avif'] as const)('are read before they go: %s', async (kind) => {
      const bytes = await signed(await drawn(kind), kind, { source: MACHINE });
      expect(await toldBy(bytes, kind)).toEqual({
        credentials: {
          state: 'intact',
          signer: 'Ink & Iron Ltd',
          tool: 'Drawing Engine 7.1',
          source: 'trainedAlgorithmicMedia',
        },
      });
      expect(await toldBy(await drawn(kind), kind)).toBeUndefined();
    });

    it('label the file while nobody has marked it, as long as it is what was signed', async () => {
      const label = async (bytes: Buffer) => {
        const path = newPath('jpg');
        await house.client().from(BUCKET).upload(path, fileOf(bytes, 'image/jpeg'));
        const answer = await fetch(`${house.url}/object/public/${BUCKET}/${path}`);
        return (await sharp(await answer.arrayBuffer()).metadata()).xmp?.toString() ?? '';
      };
      const bytes = await signed(await drawn('jpeg'), 'jpeg', { source: MACHINE });
      expect(await label(bytes)).toContain(MACHINE);
      expect(await label(altered(bytes))).toBe('');
    });

    it('say so when the file is not what was signed, or when it cannot be told', async () => {
      const bytes = await signed(await drawn('jpeg'), 'jpeg');
      expect(await toldBy(altered(bytes), 'jpeg')).toMatchObject({
        credentials: { state: 'changed', signer: 'Ink & Iron Ltd' },
      });
      const old = await signed(await drawn('png'), 'png', { ends: -1 });
      expect(await toldBy(old, 'png')).toMatchObject({ credentials: { state: 'unproven' } });
    });

    it('name nobody at any length, and nothing that is no word of the vocabulary', async () => {
      const bytes = await signed(await drawn('jpeg'), 'jpeg', {
        signer: 'x'.repeat(500),
        tool: `a\u202e\n${'b'.repeat(500)}`,
        source: 'https://evil.example/trainedAlgorithmicMedia2<script>',
      });
      const { credentials } = (await toldBy(bytes, 'jpeg')) as { credentials: Record<string, string> };
      expect([credentials['signer']!.length, credentials['tool']!.length, credentials['source']]).toEqual([
        120,
        120,
        undefined,
      ]);
      expect(credentials['tool']).toMatch(/^a b+$/);
    });

    it('never keep a picture from being taken, however they are damaged', async () => {
      const whole = await signed(await drawn('png'), 'png', { source: MACHINE });
      const start = whole.indexOf('caBX') + 4;
      const length = whole.readUInt32BE(start - 8);
      for (let round = 0; round < 24; round++) {
        const bytes = Buffer.from(whole);
        // Another byte each time, and in some rounds lengths that promise what is not there.
        if (round < 12)
          for (let at = start + round * 7; at < start + length; at += 97) bytes[at] = (bytes[at]! + 131) & 255;
        else bytes.fill(round % 2 ? 0xff : 0x9f, start + round * 3, Math.min(start + length, start + round * 300));
        const told = await toldBy(bytes, 'png');
        expect((told?.['credentials'] as { state?: string } | undefined)?.state, `round ${round}`).not.toBe('intact');
      }
    });
  });

  /** Another byte behind the credentials. */
  function altered(bytes: Buffer): Buffer {
    const changed = Buffer.from(bytes);
    changed[changed.length - 9]! ^= 1;
    return changed;
  }
}
