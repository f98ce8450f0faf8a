import { connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { printList } from '../../output/print.ts'
import { isJsonRequested, printJson } from '../../output/print-json.ts'

interface Row {
  name: string
  kind: 'quota' | 'meter'
  used: number | null
  limit: number | null
  end: string | null
}

export async function usage(this: Context, flags: OutputFlags): Promise<void> {
  const { client } = await connect(this, flags)
  const { quotas, meters, warnings } = await client.system.usage()
  for (const warning of warnings) report(this, `Note: ${warning}`)
  if (isJsonRequested(flags)) return printJson(this, flags, { quotas, meters, warnings })
  const rows: Row[] = [
    ...quotas.map(({ quota, kind, current, limit, period }) => ({
      name: kind === null ? quota : `${quota} (${kind})`,
      kind: 'quota' as const,
      used: current,
      limit,
      end: period?.end ?? null,
    })),
    ...meters.map(({ meter, quantity, included, period }) => ({
      name: meter,
      kind: 'meter' as const,
      used: quantity,
      limit: included,
      end: period.end,
    })),
  ]
  await printList(this, flags, rows, [
    { title: 'name', value: ({ name }) => name },
    { title: 'kind', value: ({ kind }) => kind },
    { title: 'used', value: ({ used }) => used },
    { title: 'limit', value: ({ limit }) => limit },
    {
      title: 'used %',
      value: ({ used, limit }) => (used === null || !limit ? null : Math.floor((used / limit) * 100)),
    },
    { title: 'period ends', value: ({ end }) => ({ time: end }) },
  ])
}
