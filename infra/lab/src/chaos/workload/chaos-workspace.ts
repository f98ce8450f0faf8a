import type { ReceivedRequest } from '@wp/testkit'
import { queryDatabase } from '../../query-database.ts'
import type { ChaosFleet } from '../fleet/chaos-fleet.ts'
import type { HistoryWriter } from '../history.ts'
import { reportedResource } from './resources.ts'

/** A workspace under load. */
export interface ChaosWorkspace {
  /** The beginning of all its values, and its name in the history. */
  label: string
  baseUrl: string
  /** A token of its service principal, with every scope. */
  token: string
  /** The number of its requests, and of those without a complete response or with a server error. */
  requests: { sent: number; failed: number }
  /** The URL that its subscriptions and integrations name. */
  receiverUrl: string
  /** Paths of resources that were created, for attempts of the other workspace to read them. */
  locations: { object: string; path: string }[]
  /** The reported values by request id, which names a delivery, for each ordering of subscriptions. */
  deliveries: Record<'best_effort' | 'strict', Map<string, string>>
}

/** Creates a workspace with two subscriptions, whose deliveries are recorded in the history. */
export async function createChaosWorkspace(
  { fleet, receiver }: ChaosFleet,
  label: string,
  history: HistoryWriter,
): Promise<ChaosWorkspace> {
  const seeded = await fleet.seed(label)
  await removeRateLimits(fleet.databases.get('auth')?.adminUrl)
  const [token = ''] = await fleet.tokens(seeded, 1)
  const workspace: ChaosWorkspace = {
    label,
    baseUrl: fleet.baseUrl,
    token,
    requests: { sent: 0, failed: 0 },
    receiverUrl: receiver.url(`/${label}`),
    locations: [],
    deliveries: { best_effort: new Map(), strict: new Map() },
  }
  for (const ordering of ['best_effort', 'strict'] as const) {
    const path = `/${label}/${ordering}`
    receiver.setResponder(({ request, response }) => {
      const { requestId, value } = parseDelivery(request)
      workspace.deliveries[ordering].set(requestId, value)
      const { object } = reportedResource
      const client = `${label} receiver`
      history.record({ client, workspace: label, object, operation: 'receive', type: 'ok', value, ordering })
      response.writeHead(200).end()
    }, path)
    const body = { endpoint: receiver.url(path), events: ['API_KEY_CREATED'], ordering, secret: 'a secret' }
    const { status } = await fleet.request('POST', '/v1/webhooks/webhooks', { as: token, body })
    if (status !== 201) throw new Error(`${label} got ${status} for a subscription`)
  }
  return workspace
}

function parseDelivery({ body }: ReceivedRequest): { requestId: string; value: string } {
  const { request_id: requestId, payload } = JSON.parse(body.toString())
  return { requestId, value: payload.name }
}

/** The load of a run may be more than a workspace is allowed by default. */
async function removeRateLimits(authUrl: string | undefined): Promise<void> {
  await queryDatabase(authUrl, 'UPDATE workspaces SET credential_per_minute = 1000000, workspace_per_minute = 1000000')
}
