import { type ConnectionFlags, connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { definedMembers } from '../../flag-types.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { printItem } from '../../output/print.ts'
import { verifyChain } from './verify-chain.ts'

interface VerifyFlags extends ConnectionFlags, OutputFlags {
  head: string | undefined
}

export async function verifyAudit(this: Context, flags: VerifyFlags): Promise<void> {
  const { client } = await connect(this, flags)
  const verification = await verifyChain((to_seq) =>
    client.audit.verifyLogs({ query: definedMembers({ head: flags.head, to_seq }) }),
  )
  await printItem(this, flags, verification, [
    { title: 'status', value: ({ status }) => status },
    { title: 'checked', value: ({ checked }) => checked },
    { title: 'first', value: ({ first_seq }) => first_seq },
    { title: 'last', value: ({ last_seq }) => last_seq },
    { title: 'head hash', value: ({ head_hash }) => head_hash },
    { title: 'signed head', value: ({ signed_head }) => signed_head?.status },
    { title: 'problems', value: ({ problem_count }) => problem_count },
  ])
  const { status, problems, problem_count: problemCount, signed_head: signedHead } = verification
  for (const { seq, kind, detail } of problems) report(this, `record ${seq} ${kind}: ${detail}`)
  if (signedHead?.status === 'contradicted') throw new Error('records up to the signed head were changed since')
  if (status === 'broken') throw new Error(`the chain is broken: ${problemCount} problems`)
}
