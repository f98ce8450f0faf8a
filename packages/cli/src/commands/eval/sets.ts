import { readFile } from 'node:fs/promises'
import { connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import type { ListFlags, OutputFlags } from '../../output/flags.ts'
import { collectPages, printList } from '../../output/print.ts'
import { isJsonRequested, printJson } from '../../output/print-json.ts'

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
