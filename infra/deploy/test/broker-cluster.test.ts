import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { connectBus, findOrCreateStream, provisionBroker, publishEvent } from '@wp/events'
import { eventually, findFreePort, findNatsServer, startNats } from '@wp/testkit'
import { consumersAt } from '../src/nats/permissions.ts'
import { brokerUserNames, passwordVariable, renderUsersConfig } from '../src/nats/users.ts'
import { workloadsOf } from './check/workloads.ts'
import { describeWithHelm, reason, renderEnvironment } from './render-chart.ts'

const shard = 'one'
const log = { info() {}, warn() {}, error() {} }

const filesOf = async (environment: string): Promise<[string, unknown][]> => {
  const manifests = await renderEnvironment(environment)
  return Object.entries(
    manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'nats')?.data ?? {},
  )
}

/** Returns the configuration of each of three servers, with local ports instead of pod names. */
function configurationOf(file: string, index: number, ports: readonly number[]): string {
  const cluster = ports
    .reduce((text, port, server) => text.replace(`nats-${server}.nats-servers:6222`, `127.0.0.1:${port}`), file)
    .replace('0.0.0.0:6222', `127.0.0.1:${ports[index]}`)
  const text = `server_name: nats-${index}\n${cluster}\n${renderUsersConfig('SHARD')}`
    .replaceAll('SHARD', shard)
    .replaceAll('ROUTE_PASSWORD', 'among-servers')
  return brokerUserNames.reduce(
    (all, user) => all.replaceAll(new RegExp(`\\$${passwordVariable(user)}(?=\\s)`, 'g'), '"secret"'),
    text,
  )
}

describeWithHelm(`the brokers of the chart${reason}`, () => {
  it('accept events as a cluster of three servers after one of them is killed', async () => {
    const file = String(Object.fromEntries(await filesOf('production'))['cluster.conf'])
    const ports = await Promise.all([findFreePort(), findFreePort(), findFreePort()])
    const servers = await Promise.all(
      ports.map((_, index) => startNats({ configuration: configurationOf(file, index, ports) })),
    )
    await using running = new AsyncDisposableStack()
    for (const server of servers) running.defer(() => server.stop())
    const bus = await connectBus({
      servers: servers.map(({ url }) => url),
      name: 'auth',
      user: 'auth',
      pass: 'secret',
      shard,
      log,
      stream: { replicas: 3 },
    })
    running.defer(() => bus.close())
    const migrator = await connectBus({
      servers: servers.map(({ url }) => url),
      name: 'migrator',
      user: 'migrator',
      pass: 'secret',
      shard,
      log,
      stream: { replicas: 3 },
    })
    running.defer(() => migrator.close())
    // The servers elect a leader first.
    await eventually(
      () =>
        provisionBroker(migrator, consumersAt(shard)).then(
          () => true,
          () => false,
        ),
      {},
    )
    const happen = (id: string) =>
      publishEvent(bus, 'auth', {
        id,
        kind: 'API_KEY_CREATED',
        workspace_id: 'ws_1',
        occurred_at: new Date(0).toISOString(),
        actor: { id: 'usr_1', type: 'user' },
        request_id: 'req-1',
        traceparent: null,
        data: {},
      })

    const { config } = await eventually(() => findOrCreateStream(bus).catch(() => false as const))
    expect(config.num_replicas).toBe(3)
    await happen('evt_1')
    await servers[0]?.kill()
    await eventually(() =>
      happen('evt_2').then(
        () => true,
        () => false,
      ),
    )
    const { state } = await eventually(() => findOrCreateStream(bus).catch(() => false as const))
    expect(state.messages).toBe(2)
  })

  it.each(['production', 'local'])('accept the configuration that their pods render in %s', async (environment) => {
    const manifests = await renderEnvironment(environment)
    const files = await filesOf(environment)
    const prepare = workloadsOf(manifests).find(({ title }) => title === 'StatefulSet nats')?.spec.initContainers?.[0]
    const [shell = '', flags = '', script = ''] = prepare?.command ?? []
    const home = mkdtempSync(join(tmpdir(), 'wp-nats-'))
    try {
      for (const name of ['template', 'etc', 'data']) mkdirSync(join(home, name))
      for (const [name, text] of files) writeFileSync(join(home, 'template', name), String(text))
      const here = script.replaceAll('/template', `${home}/template`).replaceAll('/etc/nats', `${home}/etc`)
      const env = { PATH: process.env.PATH, SHARD: 'one', ROUTE_PASSWORD: 'among-servers' }
      execFileSync(shell, [flags, here], { env })
      const made = readFileSync(join(home, 'etc/users.conf'), 'utf8')
      expect(made).toContain('"events.one.auth.>"')
      expect(made).not.toContain('SHARD')
      const passwords = Object.fromEntries(brokerUserNames.map((user) => [passwordVariable(user), 'n0t-a-number']))
      // Exits with an error if the configuration is invalid.
      execFileSync(await findNatsServer(), ['-t', '-c', join(home, 'etc/nats.conf')], {
        env: { ...passwords, POD_NAME: 'nats-0' },
        stdio: 'pipe',
      })
    } finally {
      rmSync(home, { recursive: true })
    }
  })
})
