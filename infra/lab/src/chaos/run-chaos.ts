import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { invariants } from './checkers.ts'
import { faults } from './faults/index.ts'
import { startChaosFleet } from './fleet/chaos-fleet.ts'
import { formatResults, isGood, type ReportRow, writeResults } from './report.ts'
import { type FaultRun, runFault } from './run-fault.ts'

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
