import { hashSource } from './hash-source.ts';

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/g;

/** Finds the inline scripts marked by the framework. @param mark nonce of this render, unknown to page content */
export function markedScripts(marked: string, mark: string): { html: string; scripts: string[] } {
  const attribute = ` nonce="${mark}"`;
  const scripts = [...marked.matchAll(SCRIPT)]
    .filter(([, attributes]) => attributes!.includes(attribute) && !/\ssrc=/.test(attributes!))
    .map(([, , body]) => hashSource(body!));
  return { html: marked.replaceAll(attribute, ''), scripts: [...new Set(scripts)] };
}
