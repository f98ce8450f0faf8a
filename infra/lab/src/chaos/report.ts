import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { formatTable } from '../report.ts'
import { invariants } from './checkers.ts'
import type { FaultRun } from './run-fault.ts'

/** The result of one fault, or the reason why it was not tried. */
export type ReportRow = FaultRun | { title: string; obstacle: string }

/** Returns true if every invariant held and was compared with something. */
export const isGood = ({ results, otherProblems }: FaultRun): boolean =>
  otherProblems.length === 0 &&
  invariants.every((name) => results[name].violations.length === 0 && results[name].checked > 0)

/** Formats the results as a table of Markdown. */
export function formatResults(rows: readonly ReportRow[]): string {
  const header = ['fault', 'done', 'creations: ok, refused, unknown', ...invariants, 'settled after']
  const lines = rows.map((row) => ('obstacle' in row ? formatObstacle(row) : formatRun(row)))
  return formatTable(header, lines)
}

function formatRun({ fault, detail, counts, results, settleMs }: FaultRun): string[] {
  const { ok, fail, unknown } = counts
  const cells = invariants.map((name) => {
    const { checked, violations } = results[name]
    return violations.length === 0 ? `holds (${checked})` : `**${violations.length} violations** (${checked})`
  })
  return [fault.title, detail, `${ok}, ${fail}, ${unknown}`, ...cells, `${(settleMs / 1000).toFixed(1)} s`]
}

const formatObstacle = ({ title, obstacle }: { title: string; obstacle: string }): string[] => [
  title,
  `not tried: ${obstacle}`,
  ...invariants.map(() => ''),
  '',
  '',
]

const [begin, end] = ['<!-- results -->', '<!-- end of results -->']

/** Replaces the results in a document, with their date and the machine. */
export function writeResults(file: string, rows: readonly ReportRow[], seed: number, now: Date): void {
  const document = readFileSync(file, 'utf8')
  const [before, after] = [document.split(begin)[0], document.split(end)[1]]
  const day = now.toISOString().slice(0, 10)
  const line = `${day}, ${cpus().length} cores shared with other work, seed ${seed}:`
  writeFileSync(file, `${before}${begin}\n\n${line}\n\n${formatResults(rows)}\n\n${end}${after}`)
}
