import { setTimeout as pause } from 'node:timers/promises'
import { report } from './harness/report.ts'
import { type ComposeFleet, createComposeFleet } from './rolling/compose-fleet.ts'
import { type MixedRequest, startTraffic } from './rolling/traffic.ts'

/**
 * Counts the requests that fail while the containers of each service, and at last those of the gateway, are replaced
 * under load. A replacement is started, and when it is healthy the old container is stopped. Clients connect to
 * gateways that report ready and do not retry. There are three ways to stop a container: `drain`, as deployed; `close`,
 * the same without the time in which the process reports not ready but still serves; and `exit`, which kills the
 * process.
 *
 * Needs Docker. Options: the compose command (docker-compose, or `compose-v2`), ways to stop, and services; default
 * all.
 */
export async function run(options: string[]): Promise<void> {
  const command = options.includes('compose-v2') ? 'docker compose' : 'docker-compose'
  const chosenModes = shutdownModes.filter((mode) => options.includes(mode))
  const chosenServices = restartOrder.filter((service) => options.includes(service))
  const services = chosenServices.length > 0 ? chosenServices : restartOrder
  const rows: Record<string, string | number>[] = []
  for (const mode of chosenModes.length > 0 ? chosenModes : shutdownModes)
    rows.push(...(await measureShutdownMode(command, mode, services)))
  report('rolling', rows, { command })
}

const shutdownModes = ['drain', 'close', 'exit'] as const
type ShutdownMode = (typeof shutdownModes)[number]

const restartOrder = [
  'auth',
  'system',
  'data',
  'integrations',
  'solutions',
  'webhook-delivery',
  'audit',
  'ai',
  'mcp',
  'billing',
  'notifications',
  'console',
  'gateway',
]

const requestMix: MixedRequest[] = [
  { service: 'system', method: 'GET', path: '/v1/system/workspace' },
  { service: 'data', method: 'GET', path: '/v1/data/sources' },
  { service: 'data', method: 'POST', path: '/v1/data/search', body: { query: 'anything' } },
  { service: 'integrations', method: 'GET', path: '/v1/integrations/providers' },
  { service: 'solutions', method: 'GET', path: '/v1/solutions/workplace/forecast/runs' },
  { service: 'webhook-delivery', method: 'GET', path: '/v1/webhooks/webhooks' },
  { service: 'audit', method: 'GET', path: '/v1/audit/logs?limit=1' },
  { service: 'auth', method: 'GET', path: '/v1/auth/me' },
]

const port = '18089'

async function measureShutdownMode(command: string, mode: ShutdownMode, services: readonly string[]) {
  const fleet = createComposeFleet(command, {
    PORT: port,
    DRAIN_SECONDS: mode === 'drain' ? '5' : '0',
    LOG_LEVEL: 'warn',
  })
  await fleet.down()
  try {
    await fleet.up([], { data: 3 })
    for (const { id } of await fleet.containers('gateway')) await fleet.waitUntilHealthy(id)
    const apiKeys = await createApiKeys()
    const balancer = await startBalancer(fleet)
    const traffic = startTraffic({ edges: balancer.readyEdges, requests: requestMix, apiKeys, intervalMs: 25 })
    for (const service of services) {
      process.stdout.write(`${mode}: ${service}\n`)
      await replaceContainers(fleet, service, mode === 'exit')
    }
    await pause(1000)
    await traffic.stop()
    balancer.stop()
    return Object.entries(traffic.tallies).map(([connections, { requests, failures }]) => ({
      mode,
      connections,
      requests,
      failed: [...failures.values()].reduce((sum, count) => sum + count, 0),
      failures: [...failures].map(([failure, count]) => `${count} × ${failure}`).join(', '),
    }))
  } finally {
    await fleet.down()
  }
}

/** Replaces the containers of a service one after the other, each only when its replacement is healthy. */
async function replaceContainers(fleet: ComposeFleet, service: string, kill: boolean): Promise<void> {
  const old = await fleet.containers(service)
  for (const { id } of old) {
    if (service === 'gateway') await fleet.addGateway()
    else await fleet.up([service], { [service]: old.length + 1 })
    for (const container of await fleet.containers(service)) await fleet.waitUntilHealthy(container.id)
    // The gateway and the balancer look up addresses about once per second.
    await pause(1500)
    await fleet.stop(id, kill)
  }
}

/** Polls the readiness of all gateways every half second, like a load balancer. */
async function startBalancer(fleet: ComposeFleet) {
  let readyEdges: string[] = []
  async function poll() {
    const gateways = await fleet.containers('gateway')
    const edges = await Promise.all(
      gateways.map(async ({ clientAddress }) => {
        if (clientAddress === undefined) return undefined
        const response = await fetch(`http://${clientAddress}:9090/readyz`).catch(() => undefined)
        return response?.ok ? `http://${clientAddress}:8080` : undefined
      }),
    )
    readyEdges = edges.filter((edge) => edge !== undefined)
  }
  await poll()
  const timer = setInterval(() => void poll().catch(() => undefined), 500)
  return { readyEdges: () => readyEdges, stop: () => clearInterval(timer) }
}

/** Creates enough API keys to stay below the rate limit of each. */
async function createApiKeys(): Promise<string[]> {
  const post = async <T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T // the type of the endpoint's contract
  }
  // the development defaults of docker-compose.yml
  const { access_token: token } = await post<{ access_token: string }>('/v1/auth/token', {
    client_id: 'sp_01m7wtcqfmfapbxk82v5sd6zn0',
    client_secret: 'development-client-secret-of-the-first-workspace',
    workspace_id: 'ws_01m7wtcqfmfapbxk7y5re3z4pm',
  })
  const apiKeys: string[] = []
  for (let index = 0; index < 16; index += 1) {
    const { data } = await post<{ data: { api_key: string } }>(
      '/v1/auth/api-key',
      { name: `load ${index}` },
      { authorization: `Bearer ${token}` },
    )
    apiKeys.push(data.api_key)
  }
  return apiKeys
}
