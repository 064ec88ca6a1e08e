import { readFile } from 'node:fs/promises';
import { errors } from '../errors.ts';

const TIME = /^(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})$/;
const SETTING = /^(?:vertical|line|position|size|align|region):\S+$/;
const MAX_TIMING_LENGTH = 256;
const EXAMPLE = '00:01.000 --> 00:04.000';

/**
 * A WebVTT file of at least one cue (https://www.w3.org/TR/webvtt1/). Players skip what they cannot read, so a wrong time
 * would be a missing caption. @throws InvalidRequest (422) with the line and what to do
 */
export async function checkCaptions(path: string): Promise<'text/vtt'> {
  const lines = decode(await readFile(path)).split(/\r\n|\n|\r/);
  if (!/^WEBVTT(?:[ \t]|$)/.test(lines[0]!)) throw wrong(1, 'a file of captions begins with WEBVTT');
  const [head, ...blocks] = blocksOf(lines);
  if (head!.lines.some((line) => line.includes('-->'))) throw wrong(2, 'an empty line follows WEBVTT');
  const cues = blocks.filter(({ lines: [first] }) => !/^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/.test(first!));
  for (const cue of cues) {
    const timing = cue.lines[0]!.includes('-->') ? 0 : 1;
    checkTiming(cue.lines[timing] ?? '', cue.number + timing);
    const next = cue.lines.findIndex((line, place) => place > timing && line.includes('-->'));
    if (next > 0) throw wrong(cue.number + next, 'an empty line separates two captions');
  }
  if (cues.length === 0)
    throw wrong(lines.length, `there is no caption; one has times such as ${EXAMPLE} and text below`);
  return 'text/vtt';
}

function blocksOf(lines: readonly string[]) {
  const blocks: { number: number; lines: string[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const last = blocks.at(-1);
    if (line.trim() === '') continue;
    if (last && last.number + last.lines.length === index + 1) last.lines.push(line);
    else blocks.push({ number: index + 1, lines: [line] });
  }
  return blocks;
}

function checkTiming(line: string, number: number): void {
  const timing = line.slice(0, MAX_TIMING_LENGTH).trim();
  const [start, arrow, end, ...settings] = timing.split(/[ \t]+/);
  const [from, to] = [secondsOf(start), secondsOf(end)];
  if (arrow !== '-->' || from === null || to === null) throw wrong(number, `a caption has times such as ${EXAMPLE}`);
  if (to <= from) throw wrong(number, 'a caption ends after it begins');
  const unknown = settings.find((setting) => !SETTING.test(setting));
  if (unknown) throw wrong(number, 'only settings such as line:0 or align:start follow the times');
}

function secondsOf(text = ''): number | null {
  const [match, hours = '0', minutes, seconds, milliseconds] = TIME.exec(text) ?? [];
  if (!match) return null;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(milliseconds) / 1000;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw errors.invalidFile('The captions are no text in UTF-8. Save them again as WebVTT (.vtt) in UTF-8.');
  }
}

const wrong = (line: number, rule: string) =>
  errors.invalidFile(`Line ${line} of the captions is wrong: ${rule}. Correct the file and choose it again.`);
