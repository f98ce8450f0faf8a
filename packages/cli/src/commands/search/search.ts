import type { InputOf, surfaces } from '@wp/contracts'
import { connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { definedMembers } from '../../flag-types.ts'
import type { ListFlags } from '../../output/flags.ts'
import { collectPages, printList } from '../../output/print.ts'

interface SearchFlags extends ListFlags {
  source: string[] | undefined
  mode: string | undefined
}

type Mode = InputOf<(typeof surfaces)['data']['searchRecords']>['body']['mode']

export async function search(this: Context, flags: SearchFlags, ...words: string[]): Promise<void> {
  const { client } = await connect(this, flags)
  const notes = new Set<string>()
  const hits = await collectPages(flags.limit, async (page) => {
    const found = await client.data.searchRecords({
      body: {
        query: words.join(' '),
        ...definedMembers({ data_source_ids: flags.source, mode: flags.mode as Mode }), // the platform checks the name
        ...page,
      },
    })
    for (const { message } of found.meta.warnings) notes.add(message)
    return found
  })
  for (const note of notes) report(this, `Note: ${note}`)
  await printList(this, flags, hits, [
    { title: 'score', value: (hit) => hit.score.toFixed(3) },
    { title: 'key', value: (hit) => hit.key },
    { title: 'title', value: (hit) => hit.title },
    { title: 'record', value: (hit) => hit.record_id },
    { title: 'snippet', value: (hit) => hit.snippet },
  ])
}
