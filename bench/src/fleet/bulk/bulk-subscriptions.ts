import { newId } from '@wp/database'
import { createSealer } from '@wp/service'
import type { TestFleet } from '@wp/testkit'
import { sealSecret } from '../../../../services/webhook-delivery/src/subscriptions/secrets.ts'
import type { LoadWorkspace } from '../load/load-workspace.ts'
import { withClient } from './with-client.ts'

const secret = 'benchmark-signing-secret'

/** Creates a subscription by a request. @returns its id */
export async function subscribe(fleet: TestFleet, { token }: LoadWorkspace, endpoint: string): Promise<string> {
  const body = { endpoint, events: ['API_KEY_CREATED'], secret }
  const response = await fleet.request('POST', '/v1/webhooks/webhooks', { as: token, body })
  if (response.status !== 201)
    throw new Error(`failed to subscribe: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body.data.webhook_id
}

/**
 * Gives each workspace copies of a subscription, with secrets of their own, by statements.
 *
 * @param template the id of the subscription
 * @param each the number of copies for each workspace
 */
export async function addSubscriptions(
  fleet: TestFleet,
  template: string,
  workspaces: readonly LoadWorkspace[],
  each: number,
): Promise<void> {
  const sealer = createSealer(fleet.env('webhook-delivery').KEK ?? '')
  const ids: string[] = []
  const owners: string[] = []
  for (const workspace of workspaces) {
    for (let index = 0; index < each; index += 1) {
      ids.push(newId('wh'))
      owners.push(workspace.workspaceId)
    }
    workspace.webhookId = ids.at(-1) ?? ''
    workspace.subscriptions += each
  }
  const secrets = ids.map((id) => sealSecret(sealer, id, secret))
  await withClient(fleet.databases.get('webhook-delivery')?.adminUrl, async (client) => {
    await client.query(
      `INSERT INTO subscriptions
       SELECT (jsonb_populate_record(s, jsonb_build_object('webhook_id', new.id, 'workspace_id', new.workspace_id,
         'secret_sealed', new.secret))).*
       FROM unnest($1::text[], $2::text[], $3::text[]) AS new(id, workspace_id, secret), subscriptions AS s
       WHERE s.webhook_id = $4`,
      [ids, owners, secrets, template],
    )
    await client.query(
      `INSERT INTO endpoints
       SELECT (jsonb_populate_record(e, jsonb_build_object('webhook_id', new.id, 'workspace_id', new.workspace_id))).*
       FROM unnest($1::text[], $2::text[]) AS new(id, workspace_id), endpoints AS e WHERE e.webhook_id = $3`,
      [ids, owners, template],
    )
    await client.query('ANALYZE')
  })
}
