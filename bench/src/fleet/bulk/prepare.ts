import { eventually, type TestFleet } from '@wp/testkit'
import { forecastInput, forecastPath } from '../../neighbours/attacks/forecasts.ts'
import { generateRecords } from '../../search/synthetic-corpus.ts'
import type { LoadWorkspace } from '../load/load-workspace.ts'
import { withClient } from './with-client.ts'

/** Record ids that are known for each workspace. */
const knownRecords = 50

/** Gives a workspace a source with records, by an upload. */
export async function uploadSource(fleet: TestFleet, workspace: LoadWorkspace, records: number): Promise<void> {
  const { token: as } = workspace
  const body = { name: 'Rooms', provider: 'upload', config: { key: 'id', title_field: 'title', text_field: 'text' } }
  const created = await requireOk(fleet.request('POST', '/v1/data/sources', { as, body }))
  workspace.sourceId = created.data_source_id
  const uploaded = await requireOk(
    fleet.request('POST', `/v1/data/sources/${workspace.sourceId}/records`, {
      as,
      rawBody: ReadableStream.from(generateRecords(records, 1)),
      headers: { 'content-type': 'application/x-ndjson' },
    }),
  )
  // The response to a large upload is that of a sync.
  if (uploaded.id !== undefined) await waitForEnd(fleet, as, `/v1/data/syncs/${uploaded.id}`)
  workspace.recordIds = await readRecordIds(fleet, workspace)
}

async function readRecordIds(fleet: TestFleet, { sourceId }: LoadWorkspace): Promise<string[]> {
  return await withClient(fleet.databases.get('data')?.adminUrl, async (client) => {
    const { rows } = await client.query<{ record_id: string }>(
      'SELECT record_id FROM data_records WHERE data_source_id = $1 LIMIT $2',
      [sourceId, knownRecords],
    )
    return rows.map(({ record_id }) => record_id)
  })
}

/** Gives a workspace an agent, and a finished forecast run. */
export async function addAgentAndForecast(fleet: TestFleet, workspace: LoadWorkspace): Promise<void> {
  const { token: as } = workspace
  const agent = { name: 'Analyst', instructions: 'Answer in one sentence.' }
  workspace.agentId = (await requireOk(fleet.request('POST', '/v1/agents/agents', { as, body: agent }))).agent_id
  const { id } = await requireOk(fleet.request('POST', forecastPath, { as, body: forecastInput(1, 336) }))
  await waitForEnd(fleet, as, `${forecastPath}/${id}`)
  workspace.forecastRunId = id
}

/** Requires that a search finds records: searches that find nothing would cost less. */
export async function requireSearchable(fleet: TestFleet, { token: as }: LoadWorkspace): Promise<void> {
  const { title } = JSON.parse(Buffer.from(generateRecords(1, 1).next().value ?? []).toString())
  const hits = await requireOk(fleet.request('POST', '/v1/data/search', { as, body: { query: title } }))
  if (hits.length === 0) throw new Error('a search found nothing')
}

async function waitForEnd(fleet: TestFleet, as: string, path: string): Promise<void> {
  const read = async () => (await requireOk(fleet.request('GET', path, { as }))).finished_at !== null
  await eventually(read, { timeoutMs: 120_000, intervalMs: 100, description: path })
}

async function requireOk(request: ReturnType<TestFleet['request']>) {
  const { status, body } = await request
  if (status < 200 || status > 299) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data
}
