import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { type SignerName, signerNames } from '@wp/contracts'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../../..')

/** A variable in .env.example. */
interface DocumentedVariable {
  name: string
  value: string
  /** The line is commented out: the value is the default of the process, not of docker-compose. */
  isDefault: boolean
  explained: boolean
}

function readExample(): DocumentedVariable[] {
  const lines = readFileSync(join(root, '.env.example'), 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    const [, mark, name = '', value = ''] = /^(#?)([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? []
    if (name === '') return []
    // The variables of a paragraph share its comment.
    const above = lines.slice(0, index).lastIndexOf('') + 1
    return [{ name, value, isDefault: mark === '#', explained: lines[above]?.startsWith('# ') === true }]
  })
}

interface Composed {
  services: Record<string, { environment?: Record<string, string | number> }>
}

/** The text of docker-compose.yml, its content, and the variables that it reads with their defaults. */
function readCompose(): { text: string; composed: Composed; defaults: Map<string, string> } {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8')
  const named = [...text.matchAll(/\$\{([A-Z0-9_]+):-([^}]*)\}/g)]
  const defaults = new Map(named.map(([, name = '', value = '']) => [name, value]))
  return { text, composed: parse(text, { merge: true }), defaults }
}

/** The parts of a zod object schema that are used. */
interface Schema {
  shape: Record<string, { safeParse(value: unknown): { success: boolean; data?: unknown } }>
}

const documented = readExample()
const { text, composed, defaults } = readCompose()
let schemas: Map<SignerName, Schema['shape']>
beforeAll(async () => {
  const read = async (name: SignerName) => {
    const file = name === 'gateway' ? 'gateway/src/config.ts' : `services/${name}/src/index.ts`
    const module: { config?: Schema; definition?: { config: Schema } } = await import(join(root, file))
    return [name, module.config?.shape ?? module.definition?.config.shape ?? {}] as const
  }
  schemas = new Map(await Promise.all(signerNames.map(read)))
})

const everyKey = () => [...schemas.values()].flatMap((shape) => Object.entries(shape))

/**
 * Variables that docker-compose.yml does not pass: it has one cell, one network and a broker without users, and sets
 * the time in which a container must stop itself.
 */
const fixedByCompose = new Set([
  ...['HOME_SHARD', 'CELLS', 'OPEN_SHARDS', 'UPSTREAM', 'UPSTREAM_OVERRIDES', 'REUSE_PORT', 'SHUTDOWN_GRACE_SECONDS'],
  ...['NATS_USER', 'NATS_PASSWORD', 'STREAM_REPLICAS'],
])
/** The identity providers of auth have public addresses. */
const fixedByComposeFor: Partial<Record<SignerName, string[]>> = { auth: ['OUTBOUND_ALLOW_CIDRS', 'OUTBOUND_CA_FILE'] }

describe('.env.example', () => {
  it('documents every variable of every process and of docker-compose.yml once, and no other', () => {
    const known = new Set([...everyKey().map(([name]) => name), ...defaults.keys()])
    expect(documented.map(({ name }) => name).sort()).toEqual([...known].sort())
    expect(documented.filter(({ explained }) => !explained)).toEqual([])
  })

  it('contains the defaults of docker-compose.yml, and in comments those of the processes', () => {
    for (const { name, value, isDefault } of documented) {
      const known = everyKey().filter(([key]) => key === name)
      if (!isDefault) {
        expect([name, value]).toEqual([name, defaults.get(name)])
        continue
      }
      for (const [, schema] of known) {
        const standard = schema.safeParse(undefined)
        // Without a default, the example must be valid.
        const said = value === '' ? schema.safeParse(undefined) : schema.safeParse(value)
        expect([name, said.success]).toEqual([name, true])
        if (standard.success) expect([name, said.data]).toEqual([name, standard.data])
      }
    }
  })
})

describe('docker-compose.yml', () => {
  it('sets or passes every variable of each process', () => {
    for (const [name, shape] of schemas) {
      const told = Object.keys(composed.services[name]?.environment ?? {})
      const open = Object.keys(shape).filter(
        (key) => !fixedByCompose.has(key) && !fixedByComposeFor[name]?.includes(key),
      )
      expect([name, open.filter((key) => !told.includes(key))]).toEqual([name, []])
    }
  })

  it('passes variables under the same name, with one default for each', () => {
    const passed = [...text.matchAll(/^ +([A-Z0-9_]+): (?:&[a-z-]+ )?\$\{([A-Z0-9_]+):-[^}]*\}$/gm)]
    const renamed = passed.filter(([, as, name]) => as !== name).map(([, as]) => as)
    expect([...new Set(renamed)].sort()).toEqual([
      'CLIENT_ID',
      'CLIENT_SECRET',
      'OUTBOUND_ALLOW_CIDRS',
      'POSTGRES_PASSWORD',
    ])
    const all = [...text.matchAll(/\$\{([A-Z0-9_]+):-([^}]*)\}/g)]
    expect(all.filter(([, name = '', value]) => defaults.get(name) !== value).map(([whole]) => whole)).toEqual([])
  })
})
