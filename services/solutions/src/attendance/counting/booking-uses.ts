import { isNoShowName } from '@wp/tabular'
import type { ValueUses } from '../../store/datasets.ts'
import type { DayUses } from '../../store/facts.ts'
import { blankUse, useColumn } from './facts.ts'
import type { BlankMeaning, MappedDataset, MappedFacts, UseMeaning } from './measures.ts'

/** Returns bookings of a day with the use that the column of their dataset tells, and without one that it does not. */
export function decideUses<Facts extends MappedFacts & Pick<MappedDataset, 'uses'>>(mapped: Facts, day: string): Facts {
  const { uses, table } = mapped
  const { blanks, unmarked, unmarkedSpaces } = uses
  const ofBlank = blanks !== null && day >= blanks.first && day < blanks.last ? blanks.use : -1
  const ofNo = unmarked !== null && day > unmarked.until ? -1 : unmarked?.use
  const isUnmarked = (at: number) => unmarkedSpaces.has(table.columns[1]?.[at] ?? -1)
  const decide = (stated: number, at: number) =>
    stated === blankUse
      ? isUnmarked(at)
        ? -1
        : ofBlank
      : stated === unmarked?.use
        ? isUnmarked(at)
          ? -1
          : ofNo
        : stated
  const columns = table.columns.map((column, place) =>
    place === useColumn ? column.map((stated, at) => decide(stated, at) ?? -1) : column,
  )
  return { ...mapped, table: { ...table, columns } }
}

/**
 * Returns what the column of use says of bookings without a mark, by the column as a whole. A blank: where only one of
 * yes and no is written, it is the other; where both are, or neither, or few of it, it is not known. A few of the other
 * are slips of the keyboard. Before the first day with marks no one marked bookings yet; from the last one on, which
 * the file may have in part, no one has so far. Nor does a no say anything of the bookings ahead, after the last day
 * with marks, or of spaces without marks, whose bookings no one marks.
 *
 * @param days uses by day @param spaces uses by value of the column of spaces
 */
export function meaningOfUses(
  { checked_in: checkedIn, no_show: noShow }: Readonly<Record<string, string | undefined>>,
  days: readonly DayUses[],
  spaces: readonly Omit<ValueUses, 'datasetId'>[],
): UseMeaning {
  const isInverse = isNoShowName(checkedIn ?? '') || (checkedIn === undefined && noShow !== undefined)
  const marks: Marks = isInverse ? ['unused', 'used', 1] : ['used', 'unused', 0]
  if ((checkedIn === undefined) === (noShow === undefined)) return { ...noMeaning, blanks: meaningOfBlank(marks, days) }
  const [mark, , use] = marks
  const usual = shareOf(sumUses(days), mark)
  const spacesWithout = spaces.filter(({ rows, ...own }) =>
    // Of marks that are few anyway, a space may be without any by chance.
    isInverse ? own.unused === 0 && rows * usual >= leastExpected : own.used < leastMarkedOfSpace * rows,
  )
  return {
    blanks: meaningOfBlank(marks, days),
    unmarked: { use, until: lastKnownDay(marks, days, usual) },
    unmarkedSpaces: new Set(spacesWithout.map(({ valueId }) => valueId)),
  }
}

/** The meaning of a column of use that is none. */
export const noMeaning: UseMeaning = { blanks: null, unmarked: null, unmarkedSpaces: new Set() }
/** The mark of a booking, its opposite, and the use of a booking without it. */
type Marks = [mark: 'used' | 'unused', other: 'used' | 'unused', use: 0 | 1]
const [leastExpected, leastMarkedOfSpace] = [5, 0.05]

/**
 * Returns the last day on which a booking without a mark tells something: that of the last marks which are as usual as
 * on other days, or the one before it, if fewer were made on it so far.
 */
function lastKnownDay([mark, , use]: Marks, days: readonly DayUses[], usual: number): string {
  const last = days.findLastIndex(
    (own, at) => own[mark] > 0 && shareOf(sumUses(days.slice(Math.max(0, at - 2), at + 3)), mark) >= usual / 4,
  )
  const [day, before] = [days[last]?.day, days[last - 1]?.day ?? '']
  if (day === undefined || day === days.at(-1)?.day) return day ?? ''
  const { used, unused, blank } = sumUses(days.slice(last + 1))
  if (use === 1) return (used + unused + blank) * usual < leastExpected ? (days.at(-1)?.day ?? '') : day
  return shareOf(days[last], mark) >= leastOfLastDay * shareOf(sumUses(days.slice(0, last + 1)), mark) ? day : before
}
const leastOfLastDay = 0.8

const shareOf = (uses: Uses | undefined, mark: 'used' | 'unused'): number =>
  uses === undefined ? 0 : uses[mark] / Math.max(1, uses.used + uses.unused + uses.blank)

function meaningOfBlank([mark, other, use]: Marks, days: readonly DayUses[]): BlankMeaning | null {
  const isMarked = (uses: Uses) => uses[mark] > 0 && uses[mark] >= leastMarked[mark] * (uses[mark] + uses.blank)
  // One mark by chance makes no day of marks: it must be usual on the days around it, too.
  const marked = days.filter((own, at) => own[mark] > 0 && isMarked(sumUses(days.slice(Math.max(0, at - 2), at + 3))))
  const [first, last] = [marked[0]?.day, marked.at(-1)?.day]
  if (first === undefined || last === undefined || first === last) return null
  const all = sumUses(days)
  if (all[other] > slips * Math.min(all[mark], all.blank)) return null
  const isUsual = isMarked(sumUses(days.filter(({ day }) => day >= first && day <= last)))
  return isUsual ? { use, first, last } : null
}
const slips = 0.05
/** The share of bookings with a mark, on a day and on all, from which one without it tells something. */
const leastMarked = { used: 0.2, unused: 0.01 }

type Uses = Omit<DayUses, 'day'>
const sumUses = (days: readonly Uses[]): Uses =>
  days.reduce<Uses>(
    (sum, { used, unused, blank }) => ({
      used: sum.used + used,
      unused: sum.unused + unused,
      blank: sum.blank + blank,
    }),
    { used: 0, unused: 0, blank: 0 },
  )
