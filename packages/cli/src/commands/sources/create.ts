import { type ConnectionFlags, connect } from '../../connection.ts'
import type { Context } from '../../context.ts'
import { definedMembers } from '../../flag-types.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { printItem } from '../../output/print.ts'

interface CreateSourceFlags extends ConnectionFlags, OutputFlags {
  key: string | undefined
  title: string | undefined
  text: string | undefined
}

export async function createSource(this: Context, flags: CreateSourceFlags, name: string): Promise<void> {
  const { client } = await connect(this, flags)
  const config = definedMembers({ key: flags.key, title_field: flags.title, text_field: flags.text })
  const created = await client.data.createSource({ body: { name, provider: 'upload', config } })
  await printItem(this, flags, created, [
    { title: 'id', value: (source) => source.data_source_id },
    { title: 'name', value: (source) => source.name },
  ])
}
