/**
 * A program of a user that calls the platform at `BASE_URL` and prints what it found, as JSON.
 * @param load loads an entry: `import` or `require`
 */
export const runnableProgram = (load: 'import' | 'require') => `
const load = async (name) => ${load === 'import' ? 'import(name)' : 'require(name)'}
async function main() {
  const { createClient, NotFoundError } = await load('@workspace-platform/client')
  const { fileUpload } = await load('@workspace-platform/client/node')
  const { verifyWebhook, WebhookVerificationError } = await load('@workspace-platform/client/webhooks')
  const { BASE_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, CSV: csv } = process.env
  const client = createClient({ baseUrl, credential: { clientId, clientSecret } })
  const { workspace_id } = await client.system.getWorkspace()
  const source = await client.data.createSource({ body: { name: process.argv[2], provider: 'upload' } })
  const params = { data_source_id: source.data_source_id }
  let sent = 0
  const body = await fileUpload(csv, { onProgress: ({ sentBytes }) => (sent = sentBytes) })
  const uploaded = await client.data.uploadRecords({ params, body })
  let records = 0
  for await (const _ of client.data.listRecords({ params, query: { limit: 10 } })) records += 1
  const missing = await client.data.getRecord({ params: { record_id: 'rec_01h455vb4pex5vsknk084sn02q' } }).catch((error) => error)
  const refused = await client.data.createSource({ body: { name: '', provider: 'upload' } }).catch((error) => error)
  let forged
  try { verifyWebhook({ body: '{}', headers: {}, secret: 's' }) } catch (error) { forged = error instanceof WebhookVerificationError }
  const { response } = await client.system.getWorkspace().withResponse()
  console.log(JSON.stringify({
    workspace_id, sent, uploaded: uploaded.data.record_count, records, forged,
    missing: missing instanceof NotFoundError, refused: refused.name, status: response.status,
  }))
}
main()
`
