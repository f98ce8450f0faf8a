import { type AccessContext, type AccessFixtures, eventually } from '@wp/testkit'
import { Client } from 'pg'

const docs = '/v1/audit/docs'
const newDoc = { format: 'jsonl', from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }

async function createFinishedDoc(context: AccessContext): Promise<string> {
  const id = await context.createId(docs, newDoc)
  const isFinished = async () => (await context.read(`${docs}/${id}`)).status === 'finished'
  await eventually(isFinished, { description: 'the end of the export' })
  return id
}

/** An export of a few records ends at once, so it is put back into the queue, due tomorrow. */
async function createQueuedDoc(context: AccessContext): Promise<string> {
  const id = await createFinishedDoc(context)
  const client = new Client({ connectionString: context.fleet.databases.get('audit')?.adminUrl })
  await client.connect()
  await client.query(
    `UPDATE platform.jobs SET state = 'queued', finished_at = NULL, run_at = now() + interval '1 day' WHERE id = $1`,
    [id],
  )
  await client.end()
  return id
}

export const accessFixtures: AccessFixtures = {
  'audit.listLogs': {},
  'audit.verifyLogs': {},
  'audit.readHead': {},
  'audit.listRequests': {},
  'audit.listRequestUsage': {},
  'audit.listDocs': {},
  'audit.startDoc': { request: { body: newDoc }, alternativeBody: { ...newDoc, format: 'csv' } },
  'audit.getDoc': { params: async (context) => ({ id: await createFinishedDoc(context) }) },
  'audit.getDocContent': { params: async (context) => ({ id: await createFinishedDoc(context) }) },
  'audit.cancelDoc': { params: async (context) => ({ id: await createQueuedDoc(context) }) },
  'audit.getLog': {
    // The seeding of the workspace is recorded soon after the start.
    params: async (context) => ({
      id: await eventually(async () => (await context.read('/v1/audit/logs?limit=1'))[0]?.id ?? false),
    }),
  },
}
