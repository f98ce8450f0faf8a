import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { isGlobal, isSigner, type SignerName, serviceNames, signerNames, webhookEventKinds } from '@wp/contracts'
import { databaseNames } from '@wp/database'
import { durableName, filterSubject } from '@wp/events'
import { openSearchImage, readComposeImage } from '@wp/testkit'
import { parse } from 'yaml'
import { chartServicesFile, renderChartServices } from '../src/chart-services.ts'
import { declarationOf, processes } from '../src/processes.ts'
import { requiredObjects } from '../src/required-objects.ts'

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const packageOf = (folder: string): { dependencies?: Record<string, string> } =>
  JSON.parse(read(`${folder}/package.json`))
const folderOf = (name: SignerName) => (name === 'gateway' ? 'gateway' : `services/${name}`)

/** The names of the environment variables that a process reads. */
async function variablesOf(name: SignerName): Promise<Set<string>> {
  const { config, definition } =
    name === 'gateway'
      ? await import(join(root, 'gateway/src/config.ts'))
      : await import(join(root, folderOf(name), 'src/index.ts'))
  return new Set(Object.keys((config ?? definition.config).shape))
}

describe('the process declarations', () => {
  it('name every service folder and give each process its own local port', () => {
    expect(readdirSync(join(root, 'services')).sort()).toEqual([...serviceNames].sort())
    const ports = signerNames.map((name) => declarationOf(name).localPortOffset)
    expect(new Set(ports).size).toBe(ports.length)
    expect(processes.gateway.localPortOffset).toBe(0)
  })

  it.each([...signerNames])('match the code of %s', async (name) => {
    const { hasDatabase, usesBroker, sealsSecrets, callsOutside, consumes } = declarationOf(name)
    const variables = await variablesOf(name)
    expect({
      database: variables.has('DATABASE_URL'),
      broker: variables.has('NATS_URL'),
      seals: variables.has('KEK'),
      global: variables.has('CELLS'),
    }).toEqual({ database: hasDatabase, broker: usesBroker, seals: sealsSecrets, global: isGlobal(name) })
    expect(existsSync(join(root, folderOf(name), 'prisma'))).toBe(hasDatabase)
    expect('@wp/outbound' in (packageOf(folderOf(name)).dependencies ?? {})).toBe(callsOutside)
    const purposes = globSync(`${folderOf(name)}/src/**/*.ts`, { cwd: root, exclude: (path) => path === 'generated' })
      .map(read)
      .flatMap((text) => [...text.matchAll(/create(?:Batch|Bulk)?Consumer\(\{[^}]*?purpose: '([^']+)'/gs)])
      .map(([, purpose]) => purpose)
    expect(purposes.sort()).toEqual(Object.keys(consumes).sort())
  })

  it('name a scaling metric that exactly one source file reports', () => {
    const sources = globSync('{packages,services}/*/src/**/*.ts', {
      cwd: root,
      exclude: (path) => path === 'generated',
    }).map(read)
    for (const name of serviceNames) {
      const { scaling } = declarationOf(name)
      if (scaling.on === 'queue')
        expect(sources.filter((text) => text.includes(`gauge('${scaling.metric}'`))).toHaveLength(1)
    }
  })

  it('use the filter subjects and durable names that the consumers use', () => {
    expect(filterSubject('one', { kinds: 'all' })).toBe(filterSubject('one', { kinds: webhookEventKinds }))
    expect(durableName('audit', 'log')).toBe('audit_log')
  })

  it('match the service dependencies of the local fleet', () => {
    const { dependencies = {} } = packageOf('infra/local')
    expect(
      Object.keys(dependencies)
        .filter((name) => /-service$/.test(name))
        .sort(),
    ).toEqual(serviceNames.map((name) => `@wp/${name}-service`).sort())
  })
})

/** The fields of a docker-compose service that these tests read. */
interface ComposeService {
  command?: string[]
  environment?: Record<string, string>
  networks?: string[]
  volumes?: string[]
  depends_on?: Record<string, { condition: string }>
}

describe('docker-compose.yml', () => {
  let services: Record<string, ComposeService>
  beforeAll(() => {
    services = parse(read('docker-compose.yml'), { merge: true }).services
  })

  it('runs every declared process and no other', () => {
    expect(Object.keys(services).filter(isSigner).sort()).toEqual([...signerNames].sort())
    const run = Object.entries(services).filter(([, { command = [] }]) =>
      /(services\/.*|gateway)\/src\/main\.ts/.test(command.join(' ')),
    )
    expect(run.map(([name]) => name).sort()).toEqual([...signerNames].sort())
  })

  it.each([...signerNames])('runs %s as declared', (name) => {
    const { hasDatabase, usesBroker, sealsSecrets, callsOutside } = declarationOf(name)
    const { command = [], environment = {}, networks = [], volumes = [] } = services[name] ?? {}
    expect(command.at(-1)).toBe(`${folderOf(name)}/src/main.ts`)
    expect(environment.PORT).toBe(8080)
    expect(environment.ASSERTION_KEY_FILE).toBe(`/keys/${name}.key.json`)
    expect(volumes.filter((volume) => /^key/.test(volume))).toEqual([`key-${name}:/keys:ro`])
    expect(services.keys?.volumes).toContain(`key-${name}:/signers/${name}`)
    if (usesBroker) expect(environment.NATS_URL).toMatch(/^nats:/)
    expect('KEK' in environment).toBe(sealsSecrets)
    const { database: own, app, worker } = databaseNames(name)
    expect([environment.DATABASE_URL, environment.DATABASE_WORKER_URL]).toEqual(
      hasDatabase
        ? [app, worker].map((role) =>
            expect.stringMatching(new RegExp(`^postgresql://${role}:[^@]+@postgres:5432/${own}$`)),
          )
        : [undefined, undefined],
    )
    // The network of webhook receivers and clients is only for processes that connect to them.
    if (!callsOutside && name !== 'gateway') expect(networks).not.toContain('outside')
  })

  it('starts the gateway after every service is healthy', () => {
    const waits = services.gateway?.depends_on ?? {}
    expect(serviceNames.filter((name) => waits[name]?.condition !== 'service_healthy')).toEqual([])
  })
})

describe('the list of services', () => {
  const databasesOfCell = serviceNames.filter((name) => !isGlobal(name) && declarationOf(name).hasDatabase)

  it.each([
    ['infra/observability/prometheus.yml', /names: \[(auth[^\]]*)\]/, serviceNames],
    ['docs/runbooks/restore.md', /scale deployment (auth .*) --replicas/, serviceNames],
    ['docs/runbooks/add-shard.md', /npm run db:migrate -- (.*)/, databasesOfCell],
    ['docs/deploy.md', /backups\/two-\S+ ([^`]*)`/, databasesOfCell],
  ])('in %s is complete', (file, list, names) => {
    const [, found = ''] = list.exec(read(file)) ?? []
    expect(found.split(/[\s,]+/).sort()).toEqual([...names].sort())
  })
})

describe('the images of docker-compose.yml', () => {
  it('name the exact version of the broker', () => {
    expect(readComposeImage('nats')).toMatch(/^nats:\d+\.\d+\.\d+-alpine$/)
  })

  it('have the versions of the chart', () => {
    const { nats, postgres, opensearch } = parse(read('k8s/chart/values.yaml'))
    expect(nats.image).toMatch(new RegExp(`^${readComposeImage('nats')}@sha256:[0-9a-f]{64}$`))
    expect([postgres.singleImage, opensearch.image]).toEqual(['postgres', 'opensearch'].map(readComposeImage))
    expect(openSearchImage()).toBe(opensearch.image)
  })
})

describe('the database connections of a process', () => {
  const withDatabase = serviceNames.filter((name) => declarationOf(name).hasDatabase)

  it.each(withDatabase)('are the sizes of the pools of %s', async (name) => {
    const { definition } = await import(join(root, folderOf(name), 'src/index.ts'))
    const source = read(`${folderOf(name)}/src/context.ts`)
    // Each size is a sum of settings, numbers and the number of other cells.
    const expressions = ['POOL_SIZE', 'BACKGROUND_POOL_SIZE', 'WORKER_POOL_SIZE'].map(
      (variable) =>
        new RegExp(`config\\.DATABASE_${variable}[^,\n]*`).exec(source)?.[0] ?? `config.DATABASE_${variable}`,
    )
    const evaluate = (cells: number) =>
      expressions
        .flatMap((expression) => expression.split(' + '))
        .map((term) => term.split(' * ').reduce((product, factor) => product * numberOf(factor.trim(), cells), 1))
        .reduce((sum, term) => sum + term, 0)
    const numberOf = (factor: string, cells: number) => {
      if (factor === 'config.CELLS.length') return cells
      const [, variable] = /^config\.(\w+)$/.exec(factor) ?? []
      return variable === undefined ? Number(factor) : Number(definition.config.shape[variable].parse(undefined))
    }
    const [, extra = ''] = /const extraPoolSizes = \{(.*?)\n\}/s.exec(source) ?? []
    const own = evaluate(0) + [...extra.matchAll(/: (\d+),/g)].reduce((sum, [, size]) => sum + Number(size), 0)
    const { connections } = declarationOf(name)
    expect({ own, perOtherCell: evaluate(1) - evaluate(0) }).toEqual({
      own: connections?.own,
      perOtherCell: connections?.perOtherCell ?? 0,
    })
  })
})

describe('docs/deploy.md', () => {
  it('has runbooks that build the image of every process, because the manifests use one image', () => {
    const [build = ''] = read('docs/runbooks/deploy.md').match(/^ *docker buildx build .*$/m) ?? []
    expect(build).toContain('--target platform')
    expect(read('infra/docker/Dockerfile')).toMatch(/ AS platform\n[^\n]*\n(COPY [^\n]*\n)*COPY [^\n]*services/)
  })

  it('has runbooks that apply on the server only', () => {
    const applies = globSync('docs/{deploy,runbooks/*}.md', { cwd: root }).flatMap((file) => [
      ...read(file).matchAll(/kubectl apply .*/g),
    ])
    expect(applies.length).toBeGreaterThan(2)
    expect(applies.filter(([line]) => !line.includes('--server-side'))).toEqual([])
  })

  it('documents every Secret and ConfigMap that an environment must provide', () => {
    const text = read('docs/deploy.md')
    const named = requiredObjects.map(({ name, keys }) => {
      const process = signerNames.find((signer) => name === `${signer}-key` || name.startsWith(`${signer}-se`))
      return { name: process === undefined ? name : name.replace(process, '<process>'), keys }
    })
    expect(named.filter(({ name }) => !text.includes(`\`${name}\``))).toEqual([])
    const rest = named.filter(({ name }) => name !== 'nats-users').flatMap(({ keys }) => keys)
    const known = rest.filter((key) => text.includes(`\`${key}\``) || text.includes(`\`_${key.split('_').at(-1)}\``))
    expect(known).toEqual(rest)
  })
})

describe('npm run k8s', () => {
  it('generates the services.yaml of the chart', () => {
    expect(readFileSync(chartServicesFile, 'utf8')).toBe(renderChartServices())
  })
})
