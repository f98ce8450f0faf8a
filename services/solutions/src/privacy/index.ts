/**
 * Keeps published counts of people from telling of fewer people than a threshold.
 *
 * **Published.** Counts of different people by space and by team, for days and weeks, and by space for hours. Levels,
 * the averages and peaks of an hour, are suppressed where the people are, and where counters and bookings see few at
 * once; `suppressLevels` protects them, and states how. Everything coarser in time (the mean of a weekday, the average
 * of a day) must be computed from shown finer cells only, so that it adds nothing to them: an average that included a
 * suppressed hour would give that hour away.
 *
 * **Primary suppression.** A cell is sensitive if it counts 1 to threshold - 1 people; if 1 to threshold - 1 members of
 * the headcount are missing from it; or if its team has a headcount below the threshold. Headcounts are published, so
 * "18 of 20" is a cell of 2 absent people, and absence is what a works council asks about first; a table of present and
 * absent members has both columns by the same rule. `protectAbsent: false` turns the second rule off. 0 is shown, and
 * so is "all": each is a statement about a whole group of at least the threshold.
 *
 * **Complementary suppression.** What is left out must not be computable. The attacker knows the shown cells,
 * headcounts, the number of different people at each moment (unless that is sensitive), and:
 * - a person is in one team, so a team is the sum of its children and a *remainder*, its direct members. The remainder
 *   is never shown, but is protected like a cell;
 * - the people of a space are at least those of each of its spaces, and at most their sum and its own remainder: those
 *   who passed its door and no other reader. As a person may be in several spaces, that remainder is only bounded, and
 *   it is no cell of any answer: it is not protected. To protect it withheld every other day of a floor whose zones
 *   have readers of their own, because 3 of 73 people went to none of them;
 * - who is there in an hour is there that day, and who is there that day is there that week; and the reverse: a day has
 *   no more people than its hours together.
 *
 * **Protection.** For each suppressed cell and each sensitive remainder the possible values `[low, high]` have
 * `high - low >= threshold`; a cell of few people has `high >= threshold`, and one of few absent `low` at most the
 * headcount less the threshold. It holds for an attacker who reads the shown cells alone, and, with a width one less,
 * for one who also knows that every 0 is shown: "1 to 5" is enough. No more is demanded than holds with nothing shown:
 * from 0 or 1 to the headcount.
 *
 * `suppress` bounds cells by propagating intervals, exact in a tree and near exact in the lattice of hours, days and
 * weeks; `auditLattice` bounds them by linear programs over all relations at once; `suppressAudited` runs both until
 * the audit finds nothing.
 *
 * **Outside of it.** Values change over time, but headcounts rarely do: a small team that is suppressed with the same
 * sibling every day stays as uncertain on each day, and the mean of many such days is known no better than the mean of
 * their intervals. The size of a suppressed sum over many days does tell the average of the group that is suppressed
 * together. A lattice must be published once: publishing it again after more people were added lets the difference be
 * taken. The choice of complements is not modelled as knowledge of the attacker.
 *
 * Sources: Hundepool et al., *Statistical Disclosure Control* (2012), chapter 4: threshold rule, complementary
 * suppression, the audit of intervals; Fischetti & Salazar-González, *Solving the cell suppression problem on tabular
 * data with linear constraints*, Management Science 47 (2001): protection levels as bounds of linear programs.
 */
export { auditLattice, loadSolver } from './audit-lattice.ts'
export { createLattice, type SheetCounts } from './lattice.ts'
export { type Forest, latticeShape } from './lattice-shape.ts'
export { publishedSheets } from './published-lattice.ts'
export type { PrivacyRule } from './sensitive-cells.ts'
export { suppress, suppressAudited } from './suppress.ts'
