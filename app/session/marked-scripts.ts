import { hashSource } from './hash-source.ts';

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/g;

/**
 * Finds the inline scripts that the framework marked as its own, and takes the mark away.
 * @param mark the nonce of this one render, which nothing on the page can know
 * @returns the page as it is sent, and the sources that its policy names
 */
export function markedScripts(marked: string, mark: string): { html: string; scripts: string[] } {
  const attribute = ` nonce="${mark}"`;
  const scripts = [...marked.matchAll(SCRIPT)]
    .filter(([, attributes]) => attributes!.includes(attribute) && !/\ssrc=/.test(attributes!))
    .map(([, , body]) => hashSource(body!));
  return { html: marked.replaceAll(attribute, ''), scripts: [...new Set(scripts)] };
}
