import {
  type Cut,
  havePaise,
  inRupees,
  MOST_INVESTORS,
  type Paise,
  partOf,
  percentages,
  percentOfWhole,
  type SplitAnswer,
  type SplitForm,
  sumOfLines,
} from '#features/splits/model/calculator.ts';
import { cutNames, calculator as words } from '#features/splits/words/terms.ts';

export const CUTS = Object.keys(cutNames) as Cut[];

/**
 * All that changes with the form: `texts` by `data-text`, custom properties of the calculator, and the user's own cuts.
 * The page renders it, and `live.ts` updates the page with it.
 */
export function resultOf(form: SplitForm, { lines, problems }: SplitAnswer) {
  const paise = lines !== null && havePaise(lines);
  const money = (sum: Paise | undefined) => (sum === undefined ? '–' : inRupees(sum, paise));
  const total = money(lines ? sumOfLines(lines, 'mine') : undefined);
  const widths = percentages(problems.investors ? MOST_INVESTORS : Number(form.investors));
  const texts: Record<string, string> = {
    total,
    amount: money(lines ? sumOfLines(lines, 'amount') : undefined),
    ofProfit: lines ? words.ofProfit(percentOfWhole(lines)) : words.unknown,
    investors: `${form.investors}%`,
    toManager: form.idea === 'nobody' ? words.toManager : '',
  };
  const properties: Record<string, string> = { '--letters': String(total.length) };
  for (const cut of CUTS) {
    const line = lines?.find((one) => one.cut === cut);
    texts[`${cut} percent`] = line ? `${line.percent}%` : '–';
    texts[`${cut} amount`] = money(line?.amount);
    texts[`${cut} mine`] = money(line?.mine);
    properties[`--cut-${cut}`] = String(widths[cut]);
    properties[`--cut-${cut}-mine`] = `${line ? partOf(line) : 0}%`;
  }
  return { texts, properties, mine: CUTS.filter((cut) => lines?.some((line) => line.cut === cut && line.mine > 0n)) };
}

export type SplitResult = ReturnType<typeof resultOf>;
