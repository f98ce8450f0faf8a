import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import {
  declarationOf,
  edge,
  isSigner,
  type SignerName,
  serviceNames,
  signerNames,
  webhookEventKinds,
} from '@wp/contracts'
import { databaseNames } from '@wp/database'
import { durableName, filterSubject } from '@wp/events'
import { parse } from 'yaml'
import { generateFiles } from '../src/generate-files.ts'
import { requiredObjects } from '../src/required-objects.ts'

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const packageOf = (folder: string): { dependencies?: Record<string, string> } =>
  JSON.parse(read(`${folder}/package.json`))
const folderOf = (name: SignerName) => (name === 'gateway' ? 'gateway' : `services/${name}`)

/** The names of the variables that a process knows. */
async function variablesOf(name: SignerName): Promise<Set<string>> {
  const { config, definition } =
    name === 'gateway'
      ? await import(join(root, 'gateway/src/config.ts'))
      : await import(join(root, folderOf(name), 'src/index.ts'))
  return new Set(Object.keys((config ?? definition.config).shape))
}

describe('the list of services', () => {
  it('names the folders there are, and a port each', () => {
    expect(readdirSync(join(root, 'services')).sort()).toEqual([...serviceNames].sort())
    const ports = signerNames.map((name) => declarationOf(name).port)
    expect(new Set(ports).size).toBe(ports.length)
    expect(edge.port).toBe(0)
  })

  it.each([...signerNames])('says of %s what its code says', async (name) => {
    const { hasDatabase, usesBroker, sealsSecrets, callsOutside, isGlobal, consumes } = declarationOf(name)
    const variables = await variablesOf(name)
    expect({
      database: variables.has('DATABASE_URL'),
      broker: variables.has('NATS_URL'),
      seals: variables.has('KEK'),
      global: variables.has('CELLS'),
    }).toEqual({ database: hasDatabase, broker: usesBroker, seals: sealsSecrets, global: isGlobal })
    expect(existsSync(join(root, folderOf(name), 'prisma'))).toBe(hasDatabase)
    expect('@wp/outbound' in (packageOf(folderOf(name)).dependencies ?? {})).toBe(callsOutside)
    const purposes = globSync(`${folderOf(name)}/src/**/*.ts`, { cwd: root, exclude: (path) => path === 'generated' })
      .map(read)
      .flatMap((text) => [...text.matchAll(/create(?:Batch)?Consumer\(\{[^}]*?purpose: '([^']+)'/gs)])
      .map(([, purpose]) => purpose)
    expect(purposes.sort()).toEqual(Object.keys(consumes).sort())
  })

  it('says which metric tells what waits, by the name that the code gives it', () => {
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

  it('lets what hears events hear them by one filter of the broker', () => {
    expect(filterSubject('one', { kinds: 'all' })).toBe(filterSubject('one', { kinds: webhookEventKinds }))
    expect(durableName('audit', 'log')).toBe('audit_log')
  })

  it('is what the local fleet depends on', () => {
    const { dependencies = {} } = packageOf('infra/local')
    expect(
      Object.keys(dependencies)
        .filter((name) => /-service$/.test(name))
        .sort(),
    ).toEqual(serviceNames.map((name) => `@wp/${name}-service`).sort())
  })
})

/** What of docker-compose.yml is read here. */
interface ComposeService {
  command?: string[]
  environment?: Record<string, string>
  networks?: string[]
  depends_on?: Record<string, { condition: string }>
}

describe('docker-compose.yml', () => {
  let services: Record<string, ComposeService>
  beforeAll(() => {
    services = parse(read('docker-compose.yml'), { merge: true }).services
  })

  it('has every process of the list, and no other', () => {
    expect(Object.keys(services).filter(isSigner).sort()).toEqual([...signerNames].sort())
    const run = Object.entries(services).filter(([, { command = [] }]) =>
      /(services\/.*|gateway)\/src\/main\.ts/.test(command.join(' ')),
    )
    expect(run.map(([name]) => name).sort()).toEqual([...signerNames].sort())
  })

  it.each([...signerNames])('runs %s as the list says', (name) => {
    const { hasDatabase, usesBroker, sealsSecrets, callsOutside } = declarationOf(name)
    const { command = [], environment = {}, networks = [] } = services[name] ?? {}
    expect(command.at(-1)).toBe(`${folderOf(name)}/src/main.ts`)
    expect(environment.PORT).toBe(8080)
    expect(environment.ASSERTION_KEY_FILE).toBe(`/keys/${name}.key.json`)
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
    // Where receivers and clients stand is nobody's business who goes nowhere.
    if (!callsOutside && name !== 'gateway') expect(networks).not.toContain('outside')
  })

  it('starts the edge when every service is ready', () => {
    const waits = services.gateway?.depends_on ?? {}
    expect(serviceNames.filter((name) => waits[name]?.condition !== 'service_healthy')).toEqual([])
  })
})

describe('docs/deploy.md', () => {
  it('says of every Secret and ConfigMap that an environment is given what it is', () => {
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

describe('what pnpm k8s writes', () => {
  it('is what lies in k8s/', () => {
    const files = generateFiles()
    expect(files.size).toBeGreaterThan(signerNames.length)
    for (const [file, text] of files)
      expect([file, existsSync(join(root, 'k8s', file)) && read(`k8s/${file}`)]).toEqual([file, text])
  })
})
