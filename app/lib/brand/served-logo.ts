import { createHash } from 'node:crypto';
import type { Agency } from '../words/agency.ts';
import { readSvg } from './clean-svg.ts';
import { isSvg, logoKind } from './logo.ts';

/** Height in CSS pixels of a logo in its address. */
const HEIGHT = 40;
const MAX_RATIO = 8;

function ratioOf(logo: string): number {
  const [width, height] = isSvg(logo) ? svgSize(logo) : pngSize(bytesOf(logo));
  return Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, width! / height! || 1));
}

function svgSize(svg: string): number[] {
  const root = /^<svg[^>]*>/.exec(svg)?.[0] ?? '';
  const viewBox = /\sviewBox="([^"]+)"/.exec(root)?.[1];
  const box = viewBox?.trim().split(/[\s,]+/);
  if (box?.length === 4) return box.slice(2).map(Number);
  return ['width', 'height'].map((name) => Number.parseFloat(new RegExp(`\\s${name}="([^"]+)"`).exec(root)?.[1] ?? ''));
}

const pngSize = (bytes: Buffer) => (bytes.length < 24 ? [] : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]);

/** Bytes as served: an SVG is sanitized again. */
export function bytesOf(logo: string): Buffer {
  if (!isSvg(logo)) return Buffer.from(logo.slice(logo.indexOf(',') + 1), 'base64');
  return Buffer.from(readSvg(logo).svg ?? '<svg xmlns="http://www.w3.org/2000/svg"/>');
}

/** Path of a logo's file, which contains its size and a hash of its content; empty without a logo. */
export function servedLogo(logo: string): string {
  if (!logo) return '';
  const hash = createHash('sha256').update(logo).digest('hex').slice(0, 16);
  return `/brand/logo-${Math.round(HEIGHT * ratioOf(logo))}x${HEIGHT}-${hash}.${logoKind(logo).toLowerCase()}`;
}

const served = new WeakMap<object, unknown>();

/** What pages get: addresses in place of the logos' content, hashed once for facts that stay in memory. */
export function withServedLogos<Facts extends { agency: Agency }>(facts: Facts): Facts {
  const known = served.get(facts) as Facts | undefined;
  if (known) return known;
  const { logo, logoDark } = facts.agency;
  const found = { ...facts, agency: { ...facts.agency, logo: servedLogo(logo), logoDark: servedLogo(logoDark) } };
  served.set(facts, found);
  return found;
}
