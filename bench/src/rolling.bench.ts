import { setTimeout as pause } from 'node:timers/promises'
import { report } from './report.ts'
import { type ComposeFleet, createComposeFleet } from './rolling/compose-fleet.ts'
import { type MixedRequest, startTraffic } from './rolling/traffic.ts'

/**
 * Every service of a composed fleet is restarted under load, one after the other, the edge last: another one is started,
 * and when it is healthy the old one is told to end. Clients stand behind a balancer that asks each edge whether it is
 * ready, and try nothing again. Three ways to end: `drain`, as the fleet does it; `close`, which is the same without the
 * time in which it is unready and still serves; `exit`, a process that ends at once.
 *
 * Needs Docker. Options: the command (docker-compose, or `compose-v2`), ways, and services to restart; all by default.
 */
export async function run(options: string[]): Promise<void> {
  const command = options.includes('compose-v2') ? 'docker compose' : 'docker-compose'
  const chosen = shutdownModes.filter((way) => options.includes(way))
  const services = restartOrder.filter((service) => options.includes(service))
  const rows: Record<string, string | number>[] = []
  for (const way of chosen.length > 0 ? chosen : shutdownModes)
    rows.push(...(await measureShutdownMode(command, way, services.length > 0 ? services : restartOrder)))
  report('rolling', rows, { command })
}

const shutdownModes = ['drain', 'close', 'exit'] as const

/** Services first, the edge last. */
const restartOrder = [
  ...['auth', 'system', 'data', 'integrations', 'solutions', 'webhook-delivery', 'audit', 'gateway'],
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

async function measureShutdownMode(command: string, way: (typeof shutdownModes)[number], services: readonly string[]) {
  const fleet = createComposeFleet(command, {
    PORT: port,
    DRAIN_SECONDS: way === 'drain' ? '5' : '0',
    LOG_LEVEL: 'warn',
  })
  await fleet.down()
  try {
    await fleet.up([], { data: 3 })
    for (const { id } of await fleet.containers('gateway')) await fleet.waitUntilHealthy(id)
    const keys = await makeKeys()
    const balancer = await startBalancer(fleet)
    const traffic = startTraffic({ edges: balancer.ready, asked: requestMix, keys, everyMs: 25 })
    for (const service of services) {
      process.stdout.write(`${way}: ${service}\n`)
      await replace(fleet, service, way === 'exit')
    }
    await pause(1000)
    await traffic.stop()
    balancer.stop()
    return Object.entries(traffic.tallies).map(([kind, { requests, failures }]) => ({
      way,
      connections: kind,
      requests,
      failed: [...failures.values()].reduce((sum, many) => sum + many, 0),
      'what failed': [...failures].map(([what, many]) => `${many} × ${what}`).join(', '),
    }))
  } finally {
    await fleet.down()
  }
}

/** Each of the old containers, one after the other, is replaced by one that is there before it goes. */
async function replace(fleet: ComposeFleet, service: string, atOnce: boolean): Promise<void> {
  const old = await fleet.containers(service)
  for (const { id } of old) {
    if (service === 'gateway') await fleet.addGateway()
    else await fleet.up([service], { [service]: old.length + 1 })
    for (const container of await fleet.containers(service)) await fleet.waitUntilHealthy(container.id)
    // Balancers and names are looked up every second or so.
    await pause(1500)
    await fleet.stop(id, atOnce)
  }
}

/** What a balancer does: once in half a second it asks each edge whether it is ready. */
async function startBalancer(fleet: ComposeFleet) {
  let ready: string[] = []
  async function look() {
    const found = await fleet.containers('gateway')
    const answers = await Promise.all(
      found.map(async ({ clientAddress: outside }) => {
        if (outside === undefined) return undefined
        const answer = await fetch(`http://${outside}:9090/readyz`).catch(() => undefined)
        return answer?.ok ? `http://${outside}:8080` : undefined
      }),
    )
    ready = answers.filter((edge) => edge !== undefined)
  }
  await look()
  const looking = setInterval(() => void look().catch(() => undefined), 500)
  return { ready: () => ready, stop: () => clearInterval(looking) }
}

/** Enough of them that no limit of a credential is met. */
async function makeKeys(): Promise<string[]> {
  const base = `http://127.0.0.1:${port}`
  const send = async <T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> => {
    const answer = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T // as the contract says
  }
  // the development defaults of docker-compose.yml
  const { access_token: token } = await send<{ access_token: string }>('/v1/auth/token', {
    client_id: 'sp_01m7wtcqfmfapbxk82v5sd6zn0',
    client_secret: 'development-client-secret-of-the-first-workspace',
    workspace_id: 'ws_01m7wtcqfmfapbxk7y5re3z4pm',
  })
  const keys: string[] = []
  for (let at = 0; at < 16; at += 1) {
    const { data } = await send<{ data: { api_key: string } }>(
      '/v1/auth/api-key',
      { name: `load ${at}` },
      { authorization: `Bearer ${token}` },
    )
    keys.push(data.api_key)
  }
  return keys
}
