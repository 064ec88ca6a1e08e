import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import { fonts } from './fonts.ts';

export interface TextStyle {
  face: keyof typeof fonts;
  size: number;
  /** Width in percent, 50 to 150; the monospace font has one width only. */
  wdth?: number;
  wght: number;
  colour: string;
  /** Multiple of the font's line height. */
  leading?: number;
}

export type SetText = { picture: Buffer; width: number; height: number };

const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\p{Cf}]/u;
const LINE = { width: undefined, wrap: 'none' } as const;

export class TextRenderer {
  readonly #folder: string;
  readonly #drawable = new LRUCache<string, boolean>({ max: 20_000 });
  readonly #boxes = new Map<string, GlyphBox>();
  #ready: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param width pixels; without it, all parts are set on one line @returns null for a text without ink */
  async set(parts: [string, TextStyle][], width?: number, breakWords = false): Promise<SetText | null> {
    await this.#loaded();
    if (!parts.some(([text]) => text.trim())) return null;
    const text = parts.map(([words, style]) => span(words, style)).join('');
    const wrapping = width ? { width, wrap: breakWords ? ('word-char' as const) : ('word' as const) } : LINE;
    const options = { text, font: fontOf(parts[0]![1]), rgba: true, dpi: 72, ...wrapping };
    const { data, info } = await sharp({ text: options })
      .png({ compressionLevel: 1 })
      .toBuffer({ resolveWithObject: true });
    return { picture: data, width: info.width, height: info.height };
  }

  /** Drops characters without a glyph in any installed font, which would be empty boxes. */
  async drawable(text: string): Promise<string> {
    let drawable = '';
    for (const letter of text.normalize('NFC').toWellFormed()) if (await this.#isDrawable(letter)) drawable += letter;
    return VISIBLE.test(drawable) ? drawable.replace(/\s+/g, ' ').trim() : '';
  }

  async #isDrawable(letter: string): Promise<boolean> {
    if (COVERED.test(letter) || INVISIBLE.test(letter)) return true;
    if (UNDRAWABLE.test(letter)) return false;
    const isDrawable = this.#drawable.get(letter) ?? (await this.#hasGlyph(letter));
    this.#drawable.set(letter, isDrawable);
    return isDrawable;
  }

  /** A missing glyph is drawn as a box with its number, so its upper edge equals that of any other such box. */
  async #hasGlyph(letter: string): Promise<boolean> {
    const noncharacter = letter.codePointAt(0)! > 0xffff ? '\u{1fffe}' : '\ufdd0';
    const box = this.#boxes.get(noncharacter) ?? (await this.#measure(noncharacter));
    this.#boxes.set(noncharacter, box);
    const one = await this.#measure(letter);
    return one.width !== box.width || one.height !== box.height || !one.edge.equals(box.edge);
  }

  async #measure(letter: string): Promise<GlyphBox> {
    await this.#loaded();
    const text = { text: letter, font: `${fonts.display.family}, 60`, dpi: 72 };
    const { data, info } = await sharp({ text }).raw().toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    return { width, height, edge: data.subarray(0, EDGE * width * channels) };
  }

  /** The library loads a font file when it is first used; from then on its family name works. */
  #loaded(): Promise<void> {
    this.#ready ??= (async () => {
      for (const { family, files } of Object.values(fonts))
        for (const file of files)
          await sharp({ text: { text: 'a', font: `${family}, 10`, fontfile: join(this.#folder, file) } })
            .raw()
            .toBuffer();
    })();
    return this.#ready;
  }
}

type GlyphBox = { width: number; height: number; edge: Buffer };

const COVERED = /[\u0020-\u007e\u00a0-\u00ff\u0100-\u017f‘’“”–—…₹€]/;
const EDGE = 3;
const INVISIBLE = /[\s\p{Default_Ignorable_Code_Point}\p{Cf}]/u;
const UNDRAWABLE = /[\p{Cc}\ufffd]/u;

const fontOf = ({ face, size, wdth, wght }: TextStyle) =>
  `${fonts[face].family}, ${size} @${wdth ? `wdth=${wdth},` : ''}wght=${wght}`;

const span = (text: string, style: TextStyle) =>
  `<span font_desc="${fontOf(style)}" foreground="${style.colour}"${style.leading ? ` line_height="${style.leading}"` : ''}>${escaped(text)}</span>`;

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
