import type { audit, ResponseOf } from '@wp/contracts'
import { connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { CancelledError } from '../../errors.ts'
import { definedMembers } from '../../flag-types.ts'
import type { Column } from '../../output/columns.ts'
import type { ListFlags } from '../../output/flags.ts'
import { collectPages, printList } from '../../output/print.ts'
import { isJsonRequested, printJson } from '../../output/print-json.ts'
import { pause, retry } from '../../retry.ts'

interface TailFlags extends ListFlags {
  follow: boolean
  action: string | undefined
  actor: string | undefined
}

type AuditRecord = ResponseOf<typeof audit.getLog>

const pollIntervalMs = 2_000

const columns: readonly Column<AuditRecord>[] = [
  { title: 'seq', value: ({ seq }) => seq },
  { title: 'occurred', value: (record) => ({ time: record.occurred_at }) },
  { title: 'action', value: ({ action }) => action },
  { title: 'outcome', value: ({ outcome }) => outcome },
  { title: 'actor', value: ({ actor }) => actor.name ?? actor.id },
  { title: 'targets', value: ({ targets }) => targets.map(({ id }) => id) },
  { title: 'address', value: ({ context }) => context.ip },
  { title: 'request', value: ({ context }) => context.request_id },
]

export async function tailAudit(this: Context, flags: TailFlags): Promise<void> {
  const { client } = await connect(this, flags)
  const filter = definedMembers({ action: flags.action, actor: flags.actor })
  const latest = await collectPages(flags.limit, (page) => client.audit.listLogs({ query: { ...filter, ...page } }))
  const records = latest.reverse()
  if (!flags.follow) return printList(this, flags, records, columns)
  await printEach(this, flags, records)
  const signal = this.takeInterrupts()
  let last = records.at(-1)?.seq ?? 0
  /** Reads the records after the last one, page by page, newest first. */
  const readNewer = async () => {
    const newer: AuditRecord[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await client.audit.listLogs({ query: { ...filter, ...definedMembers({ cursor }) } }, { signal })
      newer.push(...page.items.filter(({ seq }) => seq > last))
      if (page.nextCursor === null || newer.length === 0 || page.items.some(({ seq }) => seq <= last)) return newer
      cursor = page.nextCursor
    }
  }
  try {
    for (;;) {
      await pause(pollIntervalMs, signal)
      const newer = await retry(readNewer, {
        signal,
        onInterrupted: (reason) => report(this, `Lost the connection to the platform (${reason}); trying again.`),
        onResumed: () => report(this, 'The platform responds again.'),
      })
      await printEach(this, flags, newer.reverse())
      last = newer.at(-1)?.seq ?? last
    }
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error
  }
}

/** Prints records as they come: JSON one object a line. */
async function printEach(context: Context, flags: TailFlags, records: readonly AuditRecord[]): Promise<void> {
  if (!isJsonRequested(flags)) {
    if (records.length > 0) await printList(context, flags, records, columns)
    return
  }
  for (const record of records) await printJson(context, flags, record)
}
