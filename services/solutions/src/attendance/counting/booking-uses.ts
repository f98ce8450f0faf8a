import { isNoShowName } from '@wp/tabular'
import { noMeaning, type UseMeaning } from '../../store/datasets.ts'
import type { DayUses, SpaceUses } from '../../store/facts.ts'
import { blankUse, useColumn } from './facts.ts'
import type { MappedDataset, MappedFacts } from './measures.ts'

/** Returns bookings of a day with the use that the column of their dataset tells, and without one that it does not. */
export function decideUses<Facts extends MappedFacts & Pick<MappedDataset, 'uses'>>(mapped: Facts, day: string): Facts {
  const { uses, table } = mapped
  const isKnownDay = day >= uses.first && day <= uses.last
  const unmarkedSpaces = new Set(uses.unmarkedSpaces)
  const decide = (stated: number, at: number) => {
    if (stated !== uses.unmarkedUse && stated !== blankUse) return stated
    const isKnown = isKnownDay && (stated !== blankUse || uses.coversBlanks)
    return isKnown && !unmarkedSpaces.has(table.columns[1]?.[at] ?? -1) ? (uses.unmarkedUse ?? -1) : -1
  }
  const columns = table.columns.map((column, place) => (place === useColumn ? column.map(decide) : column))
  return { ...mapped, table: { ...table, columns } }
}

/**
 * Returns what bookings without a mark tell, by the column of use as a whole. A mark is what someone enters: that a
 * booking was used in a column of check-ins, that it was not in one of no-shows. Other bookings are written as the
 * opposite or left blank. Before the first day with marks no one marked bookings yet, and after the last one no one has
 * so far; the file may have that day in part: its blanks tell nothing, and its opposites only beside about as many
 * marks as on other days. Where marks are few, there may be none for a while by chance. A blank tells something only
 * where the opposite is not written, but by a slip of the keyboard.
 */
export function meaningOfUses(
  { checked_in: checkedIn, no_show: noShow }: Readonly<Record<string, string | undefined>>,
  days: readonly DayUses[],
): UseMeaning {
  if ((checkedIn === undefined) === (noShow === undefined)) return noMeaning
  const unmarkedUse = isNoShowName(checkedIn ?? '') || noShow !== undefined ? 1 : 0
  const [mark, other] = unmarkedUse === 1 ? (['unused', 'used'] as const) : (['used', 'unused'] as const)
  const typical = shareOf(unmarkedUse === 1 ? days : days.filter((own) => own[mark] > 0), mark)
  const isMarked = (own: DayUses, at: number) =>
    own[mark] > 0 &&
    [[own], days.slice(Math.max(0, at - 2), at + 3)].every((some) => shareOf(some, mark) >= typical / 4)
  const [from, to] = [days.findIndex(isMarked), days.findLastIndex(isMarked)]
  const marked = from < 0 ? [] : days.slice(from, to + 1)
  const usual = shareOf(marked, mark)
  const all = sumUses(days)
  const coversBlanks = to > from && usual >= leastMarked[mark] && all[other] <= slips * Math.min(all[mark], all.blank)
  const known =
    unmarkedUse === 1
      ? withChanceDays(days, from, to, usual)
      : withoutPartOfDay(marked, coversBlanks ? 1 : leastOfLastDay * usual)
  const [first = '', last = ''] = [known[0]?.day, known.at(-1)?.day]
  return { unmarkedUse, first, last, coversBlanks, unmarkedSpaces: [] }
}
const slips = 0.05
/** The share of bookings with a mark from which a blank tells something. */
const leastMarked = { used: 0.2, unused: 0.01 }

/** Leaves out the last day of days with check-ins if it has a smaller share of them. */
const withoutPartOfDay = (marked: readonly DayUses[], least: number): readonly DayUses[] =>
  shareOf(marked.slice(-1), 'used') >= least ? marked : marked.slice(0, -1)
const leastOfLastDay = 0.8

/** Returns days with no-shows, and those before and after them on which there may be none by chance. */
function withChanceDays(days: readonly DayUses[], from: number, to: number, usual: number): readonly DayUses[] {
  const isByChance = (some: readonly DayUses[]) => countOf(some) * (usual || leastMarked.unused) < leastExpected
  if (from < 0) return isByChance(days) ? days : []
  const [before, after] = [days.slice(0, from), days.slice(to + 1)]
  return days.slice(isByChance(before) ? 0 : from, isByChance(after) ? undefined : to + 1)
}
/** The marks that are expected at least where none are: of fewer, there may be none by chance. */
const leastExpected = 5

/**
 * Returns the spaces whose bookings no one marks, such as rooms without a panel: of those, a booking without a mark
 * tells nothing. A few of theirs may be marked by mistake.
 *
 * @param spaces the uses on the days with marks
 */
export function findUnmarkedSpaces({ unmarkedUse }: UseMeaning, spaces: readonly SpaceUses[]): number[] {
  const mark = unmarkedUse === 1 ? 'unused' : 'used'
  const usual = shareOf(
    spaces.filter((own) => own[mark] > 0),
    mark,
  )
  const isUnmarked = (own: SpaceUses) =>
    countOf([own]) * usual >= leastExpected && shareOf([own], mark) < leastMarkedOfSpace * usual
  return spaces.filter(isUnmarked).map(({ valueId }) => valueId)
}
const leastMarkedOfSpace = 0.1

type Uses = Omit<DayUses, 'day'>
const sumUses = (some: readonly Uses[]): Uses =>
  some.reduce<Uses>(
    (sum, { used, unused, blank }) => ({
      used: sum.used + used,
      unused: sum.unused + unused,
      blank: sum.blank + blank,
    }),
    { used: 0, unused: 0, blank: 0 },
  )
const countOf = (some: readonly Uses[]): number => some.reduce((sum, own) => sum + own.used + own.unused + own.blank, 0)
const shareOf = (some: readonly Uses[], mark: 'used' | 'unused'): number =>
  sumUses(some)[mark] / Math.max(1, countOf(some))
