import { type Context, report } from '../../context.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { printItem } from '../../output/print.ts'

/** The result of an upload or a sync. */
interface StoredRows {
  counts: { seen: number; created: number; updated: number; deleted: number; failed: number }
  bad_rows: readonly BadRow[]
  warnings?: readonly { message: string }[] | undefined
}

interface BadRow {
  line: number
  reason: string
  part?: string | undefined
  column?: string | undefined
  value?: string | undefined
}

/** Rejected rows that are listed; `--json` has up to 100. */
const maxListedRows = 10

/** Prints the counts, and lists the last rejected rows on standard error. @throws Error if there are any */
export async function printCounts<Result extends StoredRows>(
  context: Context,
  flags: OutputFlags,
  result: Result,
): Promise<void> {
  await printItem(context, flags, result, [
    { title: 'seen', value: ({ counts }) => counts.seen },
    { title: 'created', value: ({ counts }) => counts.created },
    { title: 'updated', value: ({ counts }) => counts.updated },
    { title: 'deleted', value: ({ counts }) => counts.deleted },
    { title: 'rejected', value: ({ counts }) => counts.failed },
  ])
  const { bad_rows: badRows, counts, warnings = [] } = result
  for (const { message } of warnings) report(context, `Note: ${message}`)
  if (counts.failed === 0) return
  const listed = badRows.slice(-maxListedRows)
  const which = counts.failed > listed.length ? `; ${listed.length} of them` : ''
  report(context, `Rejected rows: ${counts.failed}${which}:`)
  for (const row of listed) report(context, `  ${describeRow(row)}`)
  throw new Error(`${counts.failed} of ${counts.seen} rows were rejected; the others are stored`)
}

function describeRow({ line, reason, part, column, value }: BadRow): string {
  const cell = column === undefined ? '' : `, ${column}${value === undefined ? '' : ` ${JSON.stringify(value)}`}`
  return `${part === undefined ? '' : `${part}, `}line ${line}${cell}: ${reason}`
}
