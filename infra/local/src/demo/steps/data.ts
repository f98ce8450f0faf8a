import { DemoError } from '../../demo-error.ts'
import { waitForJob } from '../../workplace/wait-for-job.ts'
import type { DemoContext } from '../context.ts'
import { type Table, writeTable } from '../csv.ts'

/** Creates an upload source and uploads the table as CSV. Returns the id of the source. */
export async function createUploadSource(
  { client, output, signal }: DemoContext,
  name: string,
  table: Table,
): Promise<string> {
  const { data_source_id: id } = await client.data.createSource({ body: { name, provider: 'upload' } })
  const content = writeTable(table)
  const upload = await client.data.uploadRecords({
    params: { data_source_id: id },
    body: { contentType: 'text/csv', content },
  })
  // A large upload is processed in the background; the response is then the sync.
  const { counts, bad_rows: badRows } =
    upload.status === 'ok'
      ? upload.data
      : await waitForJob('the upload', () => client.data.getSync({ params: { id: upload.data.id } }), signal)
  const [bad] = badRows
  if (bad !== undefined) throw new DemoError(`${counts.failed} rows were rejected; line ${bad.line}: ${bad.reason}`)
  output.printProgress(
    `data source ${id} "${name}": ${counts.created} rows of ${Math.ceil(content.length / 1024)} KiB CSV`,
  )
  return id
}

/** Starts a sync and waits until it has finished. */
export async function syncSource({ client, output, signal }: DemoContext, sourceId: string): Promise<void> {
  const { id } = await client.data.startSync({ params: { data_source_id: sourceId } })
  const sync = await waitForJob('the sync', () => client.data.getSync({ params: { id } }), signal)
  const source = await client.data.getSource({ params: { data_source_id: sourceId } })
  const fields = source.schema.map(({ name, type }) => `${name} ${type}`).join(', ')
  output.printProgress(`sync ${id} finished: ${sync.counts.seen} rows seen; ${fields}`)
}
