import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { formatTable } from '../report.ts'
import { invariants } from './checkers.ts'
import { faults } from './faults/index.ts'
import { startChaosFleet } from './fleet/chaos-fleet.ts'
import { type FaultRun, runFault } from './run-fault.ts'

const [begin, end] = ['<!-- results -->', '<!-- end of results -->']

export interface ChaosOptions {
  seed: number
  /** The number of creations during each fault. */
  operations: number
  /** The faults to try; none means all. */
  fault: readonly string[]
  mutant: string | undefined
  /** Write the results to docs/chaos.md. */
  record: boolean
  /** A checkout of the previous release with its dependencies and generated clients. */
  previous: string | undefined
}

const root = join(import.meta.dirname, '../../../..')
const historyFolder = join(root, 'node_modules/.cache/chaos')
const print = (line: string) => process.stdout.write(`${line}\n`)

/**
 * Runs the platform as processes under load, takes each thing away in turn, and checks what was promised.
 *
 * @returns false if an invariant does not hold
 */
export async function runChaos({ seed, operations, fault: names, mutant, record, ...paths }: ChaosOptions) {
  if (mutant !== undefined && record) throw new Error('results with a mutant are not recorded')
  // Each process of the fleet is stopped when this one exits.
  process.setMaxListeners(30)
  const previous = paths.previous === undefined ? undefined : resolve(process.env.INIT_CWD ?? '.', paths.previous)
  mkdirSync(historyFolder, { recursive: true })
  const chosen = faults.filter(({ name }) => names.length === 0 || names.includes(name))
  print(`seed ${seed}, ${operations} creations for each fault, histories in ${historyFolder}`)
  const chaos = await startChaosFleet(print, previous)
  print(`the fleet runs after ${Math.round(performance.now() / 1000)} s`)
  const rows: ReportRow[] = []
  try {
    for (const fault of chosen) {
      const obstacle = fault.findObstacle?.(chaos)
      if (obstacle !== undefined) {
        print(`${fault.name}: not tried, because it ${obstacle}`)
        rows.push({ title: fault.title, obstacle })
        continue
      }
      const number = faults.indexOf(fault) + 1
      const historyFile = join(historyFolder, `${fault.name}.jsonl`)
      const options = { seed: seed + number * 1_000, operations, number, historyFile }
      const result = await runFault(chaos, fault, mutant === undefined ? options : { ...options, mutant })
      rows.push(result)
      printResult(result)
    }
  } finally {
    await chaos.stop()
  }
  print(`\n${formatResults(rows)}`)
  if (record) writeResults(join(root, 'docs/chaos.md'), rows, seed, new Date())
  return rows.every((row) => 'obstacle' in row || isGood(row))
}

const maxPrintedViolations = 5

function printResult(result: FaultRun): void {
  const { fault, detail, counts, refusals, requests, settleMs, results, otherProblems } = result
  const state = isGood(result) ? 'good' : 'VIOLATED'
  print(`${fault.name}: ${state}; ${detail}; ${JSON.stringify(counts)}; settled after ${Math.round(settleMs)} ms`)
  print(`  requests: ${requests.sent} sent, ${requests.failed} failed`)
  if (counts.fail > 0) print(`  refused: ${JSON.stringify(refusals)}`)
  for (const name of invariants) {
    const { checked, violations } = results[name]
    print(`  ${name}: ${checked} checked, ${violations.length} violations`)
    for (const violation of violations.slice(0, maxPrintedViolations)) print(`    ${violation}`)
  }
  for (const problem of otherProblems) print(`  ${problem}`)
}

/** The result of one fault, or the reason why it was not tried. */
type ReportRow = FaultRun | { title: string; obstacle: string }

/** Returns true if every invariant held and was compared with something. */
const isGood = ({ results, otherProblems }: FaultRun): boolean =>
  otherProblems.length === 0 &&
  invariants.every((name) => results[name].violations.length === 0 && results[name].checked > 0)

/** Formats the results as a table of Markdown. */
function formatResults(rows: readonly ReportRow[]): string {
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

/** Replaces the results in a document, with their date and the machine. */
function writeResults(file: string, rows: readonly ReportRow[], seed: number, now: Date): void {
  const document = readFileSync(file, 'utf8')
  const [before, after] = [document.split(begin)[0], document.split(end)[1]]
  const day = now.toISOString().slice(0, 10)
  const line = `${day}, ${cpus().length} cores shared with other work, seed ${seed}:`
  writeFileSync(file, `${before}${begin}\n\n${line}\n\n${formatResults(rows)}\n\n${end}${after}`)
}
