import { readFile } from 'node:fs/promises'
import type { Client } from '@wp/client'
import { connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { definedMembers } from '../../flag-types.ts'
import type { ListFlags, OutputFlags } from '../../output/flags.ts'
import { collectPages, printList } from '../../output/print.ts'
import { isJsonRequested, printJson } from '../../output/print-json.ts'
import { waitForJob } from '../../output/wait-for-job.ts'

interface RunFlags extends OutputFlags {
  version: number | undefined
  minPassRate: number | undefined
  maxTokens: number | undefined
}

type Evaluation = Awaited<ReturnType<Client['agents']['getEvaluation']>>

export async function evaluate(this: Context, flags: RunFlags, agentId: string, setId: string): Promise<void> {
  const { client } = await connect(this, flags)
  const started = await client.agents.startEvaluation({
    body: {
      agent_id: agentId,
      evaluation_set_id: setId,
      ...definedMembers({ version: flags.version, max_tokens: flags.maxTokens }),
    },
  })
  const params = { id: started.id }
  const read = () => client.agents.getEvaluation({ params })
  const evaluation = await waitForJob(this, 'agents.cancelEvaluation', started.id, read)
  const failing = [
    ...(await listWith(client, evaluation.id, 'failed')),
    ...(await listWith(client, evaluation.id, 'error')),
  ]
  if (isJsonRequested(flags)) await printJson(this, flags, { ...evaluation, failing })
  else
    await printList(this, flags, failing, [
      { title: 'outcome', value: ({ outcome }) => outcome ?? '' },
      {
        title: 'case',
        value: ({ name, input }) => name ?? (typeof input === 'string' ? input : JSON.stringify(input)),
      },
      { title: 'reason', value: ({ reason }) => reason ?? '' },
    ])
  const { cases, passed } = evaluation.summary
  report(
    this,
    `${evaluation.id}: version ${evaluation.version} passes ${passed} of ${cases} cases, ${evaluation.usage.total_tokens} tokens.`,
  )
  const refusal = refusalOf(evaluation, flags.minPassRate ?? 1)
  if (refusal !== undefined) throw new Error(refusal)
}

const maxCases = 1_000

const listWith = (client: Client, id: string, outcome: 'failed' | 'error') =>
  collectPages(maxCases, (query) =>
    client.agents.listEvaluationResults({ params: { id }, query: { ...query, outcome } }),
  )

/** Returns why the version does not pass; undefined if it does. */
function refusalOf({ gate, summary, version }: Evaluation, minPassRate: number): string | undefined {
  if (gate !== null)
    return gate.passes ? undefined : `version ${version} does not pass the gate: ${gate.reasons.join('; ')}`
  const { pass_rate: rate, passed, cases } = summary
  return (rate ?? 0) >= minPassRate ? undefined : `version ${version} passes ${passed} of ${cases} cases only`
}

interface CompareFlags extends OutputFlags {
  baseline: string | undefined
}

export async function compare(this: Context, flags: CompareFlags, id: string): Promise<void> {
  const { client } = await connect(this, flags)
  const comparison = await client.agents.compareEvaluations({
    params: { id },
    query: definedMembers({ baseline_id: flags.baseline }),
  })
  const { baseline, evaluation, counts, cases } = comparison
  if (isJsonRequested(flags)) await printJson(this, flags, comparison)
  else
    await printList(
      this,
      flags,
      cases.filter(({ change }) => change !== 'equal'),
      [
        { title: 'change', value: ({ change }) => change.replace('_', ' ') },
        { title: 'case', value: ({ name }) => name },
        { title: 'reason', value: ({ after }) => after?.reason ?? '' },
      ],
    )
  report(
    this,
    `Version ${evaluation.version} against version ${baseline.version}: ${counts.worse} worse, ${counts.better} better, ${counts.equal} equal.`,
  )
  if (counts.worse > 0) throw new Error(`${counts.worse} cases became worse`)
}

interface ActivateFlags extends OutputFlags {
  override: string | undefined
}

export async function activate(this: Context, flags: ActivateFlags, agentId: string, version: string): Promise<void> {
  const { client } = await connect(this, flags)
  const agent = await client.agents.activateAgentVersion({
    params: { agent_id: agentId, version },
    body: flags.override === undefined ? {} : { override: { reason: flags.override } },
  })
  if (isJsonRequested(flags)) return printJson(this, flags, agent)
  report(this, `Version ${agent.version} of ${agent.name} is active.`)
}

export async function listSets(this: Context, flags: ListFlags): Promise<void> {
  const { client } = await connect(this, flags)
  const sets = await collectPages(flags.limit, (query) => client.agents.listEvaluationSets({ query }))
  await printList(this, flags, sets, [
    { title: 'id', value: (set) => set.id },
    { title: 'name', value: (set) => set.name },
    { title: 'cases', value: (set) => String(set.cases) },
    { title: 'changed', value: (set) => ({ time: set.updated_at }) },
  ])
}

interface ImportFlags extends OutputFlags {
  replace: boolean
}

export async function importCases(this: Context, flags: ImportFlags, setId: string, file: string): Promise<void> {
  const format = file.endsWith('.csv') ? 'csv' : file.endsWith('.jsonl') ? 'jsonl' : undefined
  if (format === undefined) throw new UsageError(`${file}: the name must end in .jsonl or .csv`)
  const content = await readFile(file, 'utf8')
  const { client } = await connect(this, flags)
  const result = await client.agents.importEvaluationCases({
    params: { id: setId },
    body: { format, content, replace: flags.replace },
  })
  if (isJsonRequested(flags)) return printJson(this, flags, result)
  report(this, `Imported ${result.imported} cases; the set has ${result.set.cases}.`)
}
